// Tables to files, in every format that can be read (databases excepted), all or nothing.
#pragma once

#include <string>

#include "gradus/core/overwrite.hpp"
#include "gradus/data/dataset.hpp"
#include "gradus/data/io/read.hpp"

namespace gradus {

struct WriteOptions {
  TableFormat format = TableFormat::automatic;
  char delimiter = ',';
  bool header = true;
  bool spreadsheet_safe = false;  // prefix cells that a spreadsheet would run as a formula with '
  std::string target = {};        // LIBSVM: the label column; ARFF: stands last
  Overwrite overwrite = Overwrite::refuse;
};

void write_table(const Dataset& data, const std::string& destination,
                 const WriteOptions& options = {}, const Context& context = {});

// One CSV cell, quoted where RFC 4180 asks for it.
std::string csv_cell(std::string_view cell, char delimiter, bool spreadsheet_safe);

}  // namespace gradus
