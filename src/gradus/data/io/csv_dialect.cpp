// Which delimiter, and is there a header? Decided by content, on the first records.
//
// A delimiter fits when it cuts (nearly) all sampled records into the same number of cells, two or
// more. Two that fit are an error, not a guess: `0,5;1,5` is three columns or two.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/csv_cells.hpp"

namespace gradus::io {
namespace {

constexpr std::size_t kSampleBytes = 1U << 20;
constexpr std::size_t kSniffRecords = 200;

struct Fit {
  char delimiter = ',';
  std::size_t cells = 0;  // in most records
  double share = 0;       // of the records that have that many
};

Fit fit_of(std::string_view text, char delimiter, const ReadOptions& options) {
  const Sample sample =
      sample_records(text, {delimiter, options.decimal, options.comment}, kSniffRecords);
  std::map<std::size_t, std::size_t> counts;
  for (const auto& record : sample.records) ++counts[record.size()];
  Fit fit{delimiter};
  std::size_t most = 0;
  for (const auto& [cells, count] : counts) {
    if (count >= most) most = count, fit.cells = cells;
  }
  const std::size_t total = sample.records.size() + (sample.broken ? 1 : 0);
  if (total > 0) fit.share = static_cast<double>(most) / static_cast<double>(total);
  return fit;
}

[[noreturn]] void refuse_ambiguous(const std::string& name, const std::vector<Fit>& fits) {
  std::vector<std::string> words;
  for (const Fit& fit : fits) {
    words.push_back(fmt::format("{} ({} columns)", delimiter_word(fit.delimiter), fit.cells));
  }
  throw Error(ErrorKind::bad_data, name + ":1:1",
              "the delimiter is not clear: " + join(words, " or "),
              "say which with --delimiter; for numbers like 0,5 add --decimal ,");
}

// Blanks separate words as well: only a text whose every record is cut alike, and that then has a
// numeric column, counts as separated by blanks.
bool blanks_separate(std::string_view text, const Fit& fit, const ReadOptions& options) {
  if (fit.cells < 2 || fit.share < 1) return false;
  const Sample sample = sample_records(text, {' ', options.decimal, options.comment});
  for (std::size_t j = 0; j < fit.cells; ++j) {
    const auto number = [&](const auto& record) {
      return record.size() == fit.cells && cell_number(record[j], options.decimal).has_value();
    };
    if (std::all_of(sample.records.begin() + (sample.records.size() > 1 ? 1 : 0),
                    sample.records.end(), number)) {
      return true;
    }
  }
  return false;
}

char sniff_delimiter(std::string_view text, const std::string& name, const ReadOptions& options) {
  std::vector<Fit> perfect;
  std::vector<Fit> most;
  for (const char candidate : {',', ';', '\t', '|'}) {
    if (candidate == options.decimal) continue;
    const Fit fit = fit_of(text, candidate, options);
    if (fit.cells < 2) continue;
    if (fit.share >= 1) perfect.push_back(fit);
    if (fit.share >= 0.5) most.push_back(fit);
  }
  if (perfect.size() > 1) refuse_ambiguous(name, perfect);
  if (!perfect.empty()) return perfect.front().delimiter;
  // A ragged row must not hide the delimiter: the reader will refuse that row by its line.
  if (most.size() > 1) refuse_ambiguous(name, most);
  if (!most.empty()) return most.front().delimiter;
  if (blanks_separate(text, fit_of(text, ' ', options), options)) return ' ';
  return options.decimal == ',' ? ';' : ',';  // one column
}

void refuse_bad_marks(const ReadOptions& options) {
  const auto odd = [](char c) {
    return c == '"' || c == '\n' || c == '\r' || c == '\0' || c == '.' || c == '+' || c == '-' ||
           (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  if (options.decimal != '.' && options.decimal != ',') {
    throw Error(ErrorKind::usage, "--decimal",
                "the decimal mark must be . or , (got " +
                    in_quotes(std::string_view(&options.decimal, 1)) + ")");
  }
  if (!options.delimiter) return;
  const std::string shown = in_quotes(std::string_view(&*options.delimiter, 1));
  if (odd(*options.delimiter)) {
    throw Error(ErrorKind::usage, "--delimiter", shown + " cannot separate cells",
                "use one of , ; tab | or a blank");
  }
  if (*options.delimiter == options.decimal) {
    throw Error(ErrorKind::usage, "--delimiter",
                "the delimiter and the decimal mark are both " + shown);
  }
  if (options.comment == options.delimiter) {
    throw Error(ErrorKind::usage, "--comment",
                "the comment mark and the delimiter are both " + shown);
  }
}

}  // namespace

std::string delimiter_word(char delimiter) {
  if (delimiter == '\t') return "tab";
  if (delimiter == ' ') return "space";
  return std::string("'") + delimiter + "'";
}

Sample sample_records(std::string_view text, const Dialect& dialect, std::size_t most) {
  const bool cut = text.size() > kSampleBytes;
  text = text.substr(0, kSampleBytes);
  CellReader reader(text, dialect);
  Sample sample;
  const char* at = reader.begin();
  while (at < reader.end() && sample.records.size() < most) {
    const bool comment = dialect.comment && *at == *dialect.comment;
    if (comment || is_blank_line(reader, at, dialect.delimiter)) {
      const std::size_t newline = text.find('\n', reader.offset(at));
      if (newline == std::string_view::npos) break;
      at = reader.begin() + newline + 1;
      continue;
    }
    std::vector<Cell> record;
    try {
      record.push_back(reader.next(at));
      while (!reader.at_record_end(at)) record.push_back(reader.next(++at));
    } catch (const RowProblem&) {
      sample.broken = !cut;
      break;
    }
    // The last record of a cut text may be half of one.
    if (cut && at == reader.end()) break;
    sample.records.push_back(std::move(record));
    at = reader.after_record_end(at);
  }
  return sample;
}

Dialect choose_dialect(std::string_view text, const std::string& name, const ReadOptions& options) {
  refuse_bad_marks(options);
  const char delimiter =
      options.delimiter ? *options.delimiter : sniff_delimiter(text, name, options);
  return {delimiter, options.decimal, options.comment};
}

bool choose_header(const Sample& sample, const Dialect& dialect, const MissingTokens& missing,
                   Header wish) {
  if (wish != Header::automatic) return wish == Header::yes;
  if (sample.records.empty()) return false;
  const auto& first = sample.records.front();
  const auto is_number = [&](const Cell& cell) {
    return !missing.contains(cell) && cell_number(cell, dialect.decimal).has_value();
  };
  if (std::any_of(first.begin(), first.end(), is_number)) return false;
  // Without numbers in the first record: words above numbers are names. In a table of words alone,
  // names do not come back as values in their own column; one that does may be chance.
  std::size_t named = 0;
  std::size_t again = 0;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (missing.contains(first[j])) continue;
    bool numeric = false;
    bool other = false;
    bool same = false;
    for (std::size_t i = 1; i < sample.records.size(); ++i) {
      const auto& record = sample.records[i];
      if (j >= record.size() || missing.contains(record[j])) continue;
      (is_number(record[j]) ? numeric : other) = true;
      same = same || record[j].text == first[j].text;
    }
    if (numeric && !other) return true;
    named += same ? 0 : 1;
    again += same ? 1 : 0;
  }
  return again == 0 || named > again;
}

}  // namespace gradus::io
