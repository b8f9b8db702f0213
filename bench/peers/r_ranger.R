# R: ranger, random forests in C++.
#
# install: debian r-base-core
# install: debian r-cran-jsonlite
# install: debian r-cran-ranger

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "..", "worker", "protocol.R"))

versions <- function() {
  list("R" = paste(R.version$major, R.version$minor, sep = "."),
       "ranger" = as.character(utils::packageVersion("ranger")))
}

forest <- function(spec, files) {
  data <- read_classes(spec$data, if (is.null(spec$rows)) Inf else spec$rows)
  list(fit = function() ranger::ranger(y ~ ., data$train, num.trees = spec$settings$num.trees,
                                       num.threads = spec$threads, seed = 1),
       quality = function(model) {
         answers <- stats::predict(model, data$test, num.threads = spec$threads)$predictions
         mean(as.character(answers) == as.character(data$y_test))
       })
}

serve(versions, list(forest = forest))
