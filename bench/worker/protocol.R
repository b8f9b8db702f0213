# What every measured R process does: the same life as worker/protocol.py, one JSON line at the end.
#
#   Rscript PEER.R versions | run SPEC.json
#
# A peer file sources this one and calls serve(versions, calls); a call takes the specification and
# the description of the data and returns list(fit =, quality =).

answer <- function(value) {
  cat(jsonlite::toJSON(value, auto_unbox = TRUE, digits = NA), "\n", sep = "")
}

# An array as NumPy wrote it, in rows: doubles (f8) and whole numbers of four bytes (i4).
read_npy <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  readBin(file, "raw", 8)
  head <- rawToChar(readBin(file, "raw", readBin(file, "integer", 1, size = 2, signed = FALSE)))
  shape <- as.numeric(regmatches(head, gregexpr("[0-9]+(?=[,)])", head, perl = TRUE))[[1]])
  whole <- grepl("'<i4'", head, fixed = TRUE)
  if (!whole && !grepl("'<f8'", head, fixed = TRUE)) stop("an array of another type: ", head)
  numbers <- if (whole) readBin(file, "integer", prod(shape), size = 4) else
    readBin(file, "double", prod(shape), size = 8)
  if (length(shape) < 2) numbers else matrix(numbers, shape[1], shape[2], byrow = TRUE)
}

# The arrays of a task as data frames: `train` with the class `y`, `test`, and the true `y_test`.
read_classes <- function(folder, rows = Inf) {
  array <- function(name) read_npy(file.path(folder, paste0(name, ".npy")))
  X <- array("X")
  keep <- seq_len(min(nrow(X), rows))
  list(train = data.frame(X[keep, ], y = factor(array("y")[keep])),
       test = data.frame(array("X_test")), y_test = array("y_test"))
}

status_bytes <- function(key) {
  line <- grep(key, readLines("/proc/self/status"), value = TRUE)[1]
  as.numeric(gsub("[^0-9]", "", line)) * 1024
}

# Seconds of each call until min_seconds have passed, and the peak of memory of the first.
measure <- function(fit, min_seconds) {
  try(cat("5", file = "/proc/self/clear_refs"), silent = TRUE)
  base <- status_bytes("VmRSS")
  seconds <- numeric(0)
  peak <- 0
  result <- NULL
  cpu <- sum(proc.time()[1:2])
  while (length(seconds) == 0 || (sum(seconds) < min_seconds && length(seconds) < 1000)) {
    result <- NULL
    start <- Sys.time()
    result <- fit()
    seconds <- c(seconds, as.numeric(difftime(Sys.time(), start, units = "secs")))
    if (length(seconds) == 1) peak <- max(0, status_bytes("VmHWM") - base)
  }
  cpu <- (sum(proc.time()[1:2]) - cpu) / length(seconds)
  list(result = result, figures = list(seconds = stats::median(seconds), cpu_seconds = cpu,
                                       peak_bytes = peak, calls = length(seconds)))
}

serve <- function(versions, calls = list()) {
  words <- commandArgs(trailingOnly = TRUE)
  if (words[1] == "versions") return(answer(versions()))
  spec <- jsonlite::fromJSON(words[2])
  if (is.null(calls[[spec$call]])) return(answer(list(problem = "no task uses it yet")))
  about <- jsonlite::fromJSON(file.path(spec$data, "about.json"))
  files <- lapply(about$files, function(name) file.path(spec$data, name))
  warm <- files
  for (name in names(files)) {
    short <- files[[paste0("head_", name)]]
    if (!is.null(short)) warm[[name]] <- short
  }
  warm_spec <- spec
  warm_spec$rows <- 1000
  calls[[spec$call]](warm_spec, warm)$fit()
  job <- calls[[spec$call]](spec, files)
  measured <- measure(job$fit, spec$min_seconds)
  answer(list(fit = measured$figures, quality = job$quality(measured$result),
              facts = stats::setNames(list(), character(0)), versions = versions()))
}
