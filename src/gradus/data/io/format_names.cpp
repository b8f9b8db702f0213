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

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
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
  throw Error(ErrorKind::usage, std::string(name), "the ending does not say which format this is",
              "say it with --format; known endings are .csv .tsv .tab .txt .data .arff .libsvm "
              ".svm .svmlight .jsonl .ndjson .npy .idx, each also with .gz or .zst");
}

}  // namespace gradus
