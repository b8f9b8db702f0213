# R: data.table, whose fread is among the fastest readers of CSV.
#
# install: debian r-base-core
# install: debian r-cran-jsonlite
# install: debian r-cran-data.table

here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
source(file.path(here, "..", "worker", "protocol.R"))

versions <- function() {
  list("R" = paste(R.version$major, R.version$minor, sep = "."),
       "data.table" = as.character(utils::packageVersion("data.table")))
}

fread_csv <- function(spec, files) {
  data.table::setDTthreads(spec$threads)
  list(
    fit = function() data.table::fread(files$csv, showProgress = FALSE),
    quality = function(table) {
      numeric <- names(table)[sapply(table, is.numeric)]
      sum(sapply(numeric, function(name) sum(as.numeric(table[[name]]))))
    }
  )
}

serve(versions, list(fread = fread_csv))
