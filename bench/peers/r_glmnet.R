# R: glmnet, regularised linear models by coordinate descent.
#
# install: debian r-base-core
# install: debian r-cran-jsonlite
# install: debian r-cran-glmnet

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "..", "worker", "protocol.R"))

versions <- function() {
  list("R" = paste(R.version$major, R.version$minor, sep = "."),
       "glmnet" = as.character(utils::packageVersion("glmnet")))
}

# An array of doubles as NumPy saves it, row by row.
read_npy <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  readBin(file, "raw", 8)
  size <- readBin(file, "integer", 1, size = 2, endian = "little", signed = FALSE)
  about <- rawToChar(readBin(file, "raw", size))
  stopifnot(grepl("'<f8'", about), grepl("'fortran_order': False", about))
  shape <- sub(".*\\(([^)]*)\\).*", "\\1", about)
  shape <- as.integer(strsplit(gsub(" ", "", shape), ",")[[1]])
  numbers <- readBin(file, "double", prod(shape), endian = "little")
  if (length(shape) == 1) return(numbers)
  t(matrix(numbers, nrow = shape[2]))
}

# The lasso of one `alpha` as scikit-learn writes it: |y - Xb|^2 / (2 n) + alpha |b|_1.
lasso <- function(spec, files) {
  array <- function(name) read_npy(file.path(spec$data, paste0(name, ".npy")))
  X <- array("X")
  y <- array("y")
  list(
    fit = function() {
      glmnet::glmnet(X, y, lambda = spec$settings$alpha, standardize = FALSE,
                     thresh = spec$settings$thresh)
    },
    quality = function(model) {
      target <- array("y_test")
      prediction <- as.numeric(stats::predict(model, array("X_test")))
      1 - sum((target - prediction)^2) / sum((target - mean(target))^2)
    }
  )
}

serve(versions, list(lasso = lasso))
