# R: ranger, random forests in C++. No task uses it yet: the learner it is measured beside is to come.
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

serve(versions)
