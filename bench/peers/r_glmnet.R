# R: glmnet, regularised linear models. No task uses it yet: the learner it is measured beside is to come.
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

serve(versions)
