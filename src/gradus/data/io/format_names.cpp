#include "gradus/data/io/format_names.hpp"

#include <array>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

constexpr std::array<std::pair<std::string_view, TableFormat>, 9> kWords = {
    {{"csv", TableFormat::csv},
     {"tsv", TableFormat::tsv},
     {"arff", TableFormat::arff},
     {"libsvm", TableFormat::libsvm},
     {"jsonl", TableFormat::jsonl},
     {"npy", TableFormat::npy},
     {"idx", TableFormat::idx},
     {"sqlite", TableFormat::sqlite},
     {"postgresql", TableFormat::postgresql}}};

constexpr std::array<std::pair<std::string_view, TableFormat>, 13> kEndings = {
    {{".csv", TableFormat::csv},
     {".tsv", TableFormat::tsv},
     {".tab", TableFormat::tsv},
     {".txt", TableFormat::csv},
     {".data", TableFormat::csv},
     {".arff", TableFormat::arff},
     {".libsvm", TableFormat::libsvm},
     {".svm", TableFormat::libsvm},
     {".svmlight", TableFormat::libsvm},
     {".jsonl", TableFormat::jsonl},
     {".ndjson", TableFormat::jsonl},
     {".npy", TableFormat::npy},
     {".idx", TableFormat::idx}}};

// Formats that people try which are none of ours, and what to do instead.
struct ForeignFormat {
  std::array<std::string_view, 5> endings;
  std::string_view what;
  std::string_view advice;
};

constexpr std::array<ForeignFormat, 8> kForeign = {
    {{{".xlsx", ".xls", ".xlsm", ".ods"},
      "spreadsheets are not supported",
      "use CSV: spreadsheets save and open it, and pandas.read_excel(…).to_csv(…) converts"},
     {{".parquet", ".feather", ".arrow", ".orc", ".avro"},
      "columnar files are not supported",
      "use CSV: pandas.read_parquet(…).to_csv(…, index=False) converts; or hand the data frame to "
      "the Python package"},
     {{".npz"},
      "archives of arrays are not supported",
      "one array is a .npy file: numpy.save(\"x.npy\", x)"},
     {{".json"},
      "a JSON document is not a table",
      "a table has one object per line and is called .jsonl; if it is that already, say --format "
      "jsonl"},
     {{".db", ".sqlite", ".sqlite3"},
      "a database is read by a query",
      "write sqlite:FILE?SELECT … instead of the name alone"},
     {{".sav", ".dta", ".sas7bdat", ".rds", ".rdata"},
      "files of statistics packages are not supported",
      "export the table as CSV there"},
     {{".pkl", ".pickle", ".h5", ".hdf5", ".mat"},
      "files of objects are not supported",
      "use CSV, or hand the arrays to the Python package"},
     {{".zip", ".bz2", ".xz", ".tar", ".7z"},
      "this way of packing is not supported",
      "unpack it first, or pack it with gzip or zstd"}}};

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

void refuse_foreign(std::string_view name, std::string_view lower) {
  for (const ForeignFormat& foreign : kForeign) {
    for (const std::string_view ending : foreign.endings) {
      if (ending.empty() || !ends_with(lower, ending)) continue;
      throw Error(ErrorKind::usage, std::string(name), std::string(foreign.what),
                  std::string(foreign.advice));
    }
  }
}

}  // namespace

std::optional<TableFormat> format_from_word(std::string_view word) {
  const std::string wanted = lowercase(word);
  if (wanted == "auto") return TableFormat::automatic;
  if (wanted == "svmlight" || wanted == "svm") return TableFormat::libsvm;
  if (wanted == "ndjson") return TableFormat::jsonl;
  for (const auto& [name, format] : kWords) {
    if (name == wanted) return format;
  }
  return std::nullopt;
}

std::vector<std::string> format_words() {
  std::vector<std::string> words = {"auto"};
  for (const auto& [name, format] : kWords) words.emplace_back(name);
  return words;
}

io::NamedFormat io::format_of_name(std::string_view name, TableFormat wish) {
  NamedFormat named;
  std::string lower = lowercase(name);
  if (lower.rfind("sqlite:", 0) == 0) return {TableFormat::sqlite};
  if (lower.rfind("postgresql:", 0) == 0 || lower.rfind("postgres:", 0) == 0) {
    return {TableFormat::postgresql};
  }
  if (ends_with(lower, ".gz")) named.packing = Packing::gzip;
  if (ends_with(lower, ".zst")) named.packing = Packing::zstd;
  if (named.packing != Packing::none) lower.resize(lower.rfind('.'));
  if (wish != TableFormat::automatic) {
    named.format = wish;
    return named;
  }
  for (const auto& [ending, format] : kEndings) {
    if (!ends_with(lower, ending)) continue;
    named.format = format;
    return named;
  }
  if (ends_with(lower, "-ubyte")) {
    named.format = TableFormat::idx;
    return named;
  }
  const std::size_t slash = lower.rfind('/');
  const std::string_view base = std::string_view(lower).substr(slash + 1);  // npos + 1 is 0
  if (base.find('.') == std::string_view::npos) return named;
  refuse_foreign(name, lower);
  throw Error(ErrorKind::usage, std::string(name), "the ending does not say which format this is",
              "say it with --format; known endings are .csv .tsv .tab .txt .data .arff .libsvm "
              ".svm .svmlight .jsonl .ndjson .npy .idx, each also with .gz or .zst");
}

}  // namespace gradus
