// Declared, and not built yet: each part removes its lines here when it arrives.
#include "gradus/core/error.hpp"
#include "gradus/data/io/formats.hpp"

namespace gradus {

namespace {
[[noreturn]] void pending(const char* what) {
  throw Error(ErrorKind::internal, what, "not built yet");
}
}  // namespace

Split split(const Dataset&, const SplitOptions&) { pending("split"); }

// io: csv
std::optional<TableFormat> format_from_word(std::string_view) { pending("format"); }
std::vector<std::string> format_words() { pending("format"); }
Dataset read_table(const std::string&, const ReadOptions&, ReadReport*, const Context&) {
  pending("read_table");
}
Dataset parse_table(std::string_view, TableFormat, const ReadOptions&, ReadReport*, const Context&,
                    const std::string&) {
  pending("parse_table");
}
void write_table(const Dataset&, const std::string&, const WriteOptions&) {
  pending("write_table");
}
std::string csv_cell(std::string_view, char, bool) { pending("csv_cell"); }

namespace io {
Dataset parse_csv(const Input&, const ReadOptions&, ReadReport&, const Context&) { pending("csv"); }
std::string format_csv(const Dataset&, const WriteOptions&) { pending("csv"); }
}  // namespace io

}  // namespace gradus
