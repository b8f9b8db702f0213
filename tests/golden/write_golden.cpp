// Writes the golden files of this version that do not exist yet: a small model of every learner and
// task, the rows it is asked about, and its answers to the last bit.
//
//   write_golden tests/golden
//
// A file that exists is never written again: it is what users have on their disks.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "gradus/api/save.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/version.hpp"
#include "support/small_data.hpp"

namespace gradus {
namespace {

void write_text(const std::string& path, const std::string& text) {
  OutputFile file(path, Overwrite::replace);
  file.write(text);
  file.commit();
}

std::string rows_as_csv(const Dataset& data) {
  std::string text = join(data.names(), ",") + "\n";
  for (std::size_t row = 0; row < data.rows(); ++row) {
    std::vector<std::string> cells;
    for (const Column& column : data.columns()) cells.push_back(column.cell(row));
    text += join(cells, ",") + "\n";
  }
  return text;
}

std::string answers_as_csv(const Predictions& predictions) {
  std::string text;
  for (std::size_t row = 0; row < predictions.rows; ++row) {
    std::vector<std::string> cells;
    for (const double number : predictions.row(row)) cells.push_back(shortest(number));
    text += join(cells, ",") + "\n";
  }
  return text;
}

void write_missing(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const Entry* entry : catalogue()) {
    for (const SmallCase& small : small_cases(entry->info)) {
      const std::string name = fmt::format("{}_{}", entry->info.name, task_word(small.task));
      const std::string path = (folder / name).string();
      if (std::filesystem::exists(path + ".gradus")) continue;
      const AnyModel model = fit(AnyLearner(*entry), small.data, small.options);
      write_text(path + ".rows.csv", rows_as_csv(small.features));
      write_text(path + ".answers.csv", answers_as_csv(model.predict(small.features)));
      save(model, path + ".gradus", Overwrite::refuse);
      std::printf("%s\n", path.c_str());
    }
  }
}

}  // namespace
}  // namespace gradus

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_golden DIRECTORY\n", stderr);
    return 2;
  }
  try {
    gradus::write_missing(std::filesystem::path(argv[1]) / gradus::kVersion);
    return 0;
  } catch (const gradus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return gradus::exit_code(error.kind());
  }
}
