# R: e1071, support vector machines (LIBSVM). No task uses it yet: the learner it is measured beside is to come.
#
# install: debian r-base-core
# install: debian r-cran-jsonlite
# install: debian r-cran-e1071

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "..", "worker", "protocol.R"))

versions <- function() {
  list("R" = paste(R.version$major, R.version$minor, sep = "."),
       "e1071" = as.character(utils::packageVersion("e1071")))
}

serve(versions)
