// Rows that cannot be read: an error by default; with BadRow::reject they are left out of the
// table, counted, and written to the reject file with line, column and reason. Formats of lines
// (ARFF, LIBSVM, JSON Lines) and CSV share this.
//
//   if (!read_or_reject(line, options, rejects, [&] { read_row(line); })) take_back_row();
//   report_rejects(input, rejects, options, report);
#pragma once

#include <cstddef>
#include <vector>

#include "gradus/data/io/csv_record.hpp"
#include "gradus/data/io/formats.hpp"

namespace gradus::io {

struct Reject {
  RowProblem problem;
  std::size_t record = 0;  // offset of the row
  std::size_t record_end = 0;
};

// Runs `work` for one line; false when the line is bad and was noted. A passed limit is never
// noted: it says something about the file, not about a row.
template <class Line, class Work>
bool read_or_reject(const Line& line, const ReadOptions& options, std::vector<Reject>& rejects,
                    const Work& work) {
  try {
    work();
    return true;
  } catch (const RowProblem& problem) {
    if (problem.limit || options.bad_rows == BadRow::error) throw;
    rejects.push_back({problem, line.offset, line.offset + line.text.size()});
    return false;
  }
}

// Counts the rejects in the report and writes the reject file. They come in the order of the file.
void report_rejects(const Input& input, const std::vector<Reject>& rejects,
                    const ReadOptions& options, ReadReport& report);

}  // namespace gradus::io
