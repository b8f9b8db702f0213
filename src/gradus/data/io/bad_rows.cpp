#include "gradus/data/io/bad_rows.hpp"

#include <fmt/format.h>

#include "gradus/core/atomic_file.hpp"
#include "gradus/core/text.hpp"

namespace gradus::io {

void report_rejects(const Input& input, const std::vector<Reject>& rejects,
                    const ReadOptions& options, ReadReport& report) {
  report.rejected_rows = rejects.size();
  if (!rejects.empty()) {
    report.warnings.push_back(
        fmt::format("{}: {} rejected", input.name, counted(rejects.size(), "bad row")));
  }
  if (options.bad_rows == BadRow::error || options.reject_file.empty()) return;
  std::size_t line = 1;
  std::size_t counted_to = 0;  // no line is counted twice
  std::string lines = "line,column,reason,row\n";
  for (const Reject& reject : rejects) {
    const std::size_t at = reject.problem.offset;
    const TextPlace step = text_place(input.text.substr(counted_to), at - counted_to);
    line += step.line - 1;
    counted_to = at - (step.column - 1);  // the begin of the line
    const std::string_view row =
        input.text.substr(reject.record, reject.record_end - reject.record);
    lines += fmt::format("{},{},{},{}\n", line, step.column,
                         csv_cell(reject.problem.message, ',', false),
                         csv_cell(row.substr(0, row.find_last_not_of("\r\n") + 1), ',', false));
  }
  OutputFile file(options.reject_file, Overwrite::replace);
  file.write(lines);
  file.commit();
}

}  // namespace gradus::io
