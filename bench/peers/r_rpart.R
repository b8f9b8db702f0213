# R: rpart, CART trees.
#
# install: debian r-base-core
# install: debian r-cran-jsonlite
# install: debian r-cran-rpart

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "..", "worker", "protocol.R"))

versions <- function() {
  list("R" = paste(R.version$major, R.version$minor, sep = "."),
       "rpart" = as.character(utils::packageVersion("rpart")))
}

# A tree of full depth, without surrogates and cross-validation.
tree <- function(spec, files) {
  data <- read_classes(spec$data, if (is.null(spec$rows)) Inf else spec$rows)
  how <- rpart::rpart.control(cp = 0, minsplit = 2, xval = 0, maxsurrogate = 0, maxdepth = 30)
  list(fit = function() rpart::rpart(y ~ ., data$train, method = "class", control = how),
       quality = function(model) {
         answers <- stats::predict(model, data$test, type = "class")
         mean(as.character(answers) == as.character(data$y_test))
       })
}

# CART as its authors describe it: grown with surrogates, pruned to the size with the least
# cross-validated error of ten folds.
cart <- function(spec, files) {
  data <- read_classes(spec$data, if (is.null(spec$rows)) Inf else spec$rows)
  how <- rpart::rpart.control(cp = 0, minsplit = 2, xval = 10, maxsurrogate = 5, maxdepth = 30)
  pruned <- function() {
    grown <- rpart::rpart(y ~ ., data$train, method = "class", control = how)
    errors <- grown$cptable
    rpart::prune(grown, cp = errors[which.min(errors[, "xerror"]), "CP"])
  }
  list(fit = pruned,
       quality = function(model) {
         answers <- stats::predict(model, data$test, type = "class")
         mean(as.character(answers) == as.character(data$y_test))
       })
}

serve(versions, list(tree = tree, cart = cart))
