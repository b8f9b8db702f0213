// Every model file that a version has written loads for ever and gives the same answers, to the
// last bit. `write_golden` makes the files; they are read here without the table readers, so that
// the answers depend on nothing but the model.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "gradus/api/save.hpp"
#include "gradus/core/number.hpp"
#include "gradus/core/read_file.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/version.hpp"
#include "support/small_data.hpp"
#include "support/source_path.hpp"

namespace gradus {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> golden_paths() {
  std::vector<std::string> paths;
  const fs::path root = source_path("tests/golden");
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".gradus") {
      paths.push_back((entry.path().parent_path() / entry.path().stem()).string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

using Cells = std::vector<std::vector<std::string>>;

Cells cells_of(const std::string& path) {
  Cells rows;
  const std::string text = read_whole_file(path, 1 << 20);
  for (const std::string& line : split_text(trim(text), '\n')) {
    rows.push_back(split_text(line, ','));
  }
  return rows;
}

// The rows as the model reads them: the first line holds the names.
Dataset dataset_of(const Cells& cells, const Preparation& preparation) {
  std::vector<Column> columns;
  for (std::size_t j = 0; j < cells[0].size(); ++j) {
    const std::string& name = cells[0][j];
    const auto source =
        std::find_if(preparation.sources.begin(), preparation.sources.end(),
                     [&](const SourceColumn& candidate) { return candidate.name == name; });
    const bool numeric = source != preparation.sources.end() && source->kind == ColumnKind::numeric;
    std::vector<double> numbers;
    std::vector<std::optional<std::string>> texts;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      if (numeric) numbers.push_back(parse_number(cells[i][j]).value());
      texts.emplace_back(cells[i][j]);
    }
    columns.push_back(numeric ? Column::numeric(name, std::move(numbers))
                              : categorical_from_texts(name, texts));
  }
  return Dataset(std::move(columns));
}

TEST(Golden, every_model_ever_written_gives_the_same_answers) {
  const std::vector<std::string> paths = golden_paths();
  ASSERT_FALSE(paths.empty());
  for (const std::string& path : paths) {
    const AnyModel model = load(path + ".gradus");
    const Predictions predictions =
        model.predict(dataset_of(cells_of(path + ".rows.csv"), model.preparation()));
    const Cells answers = cells_of(path + ".answers.csv");
    ASSERT_EQ(predictions.rows, answers.size()) << path;
    for (std::size_t row = 0; row < predictions.rows; ++row) {
      ASSERT_EQ(predictions.width, answers[row].size()) << path;
      for (std::size_t k = 0; k < predictions.width; ++k) {
        EXPECT_EQ(shortest(predictions.row(row)[k]), answers[row][k]) << path << " row " << row;
      }
    }
  }
}

TEST(Golden, every_learner_and_task_has_a_model_of_this_version) {
  const fs::path folder = source_path("tests/golden/" + std::string(kVersion));
  for (const Entry* entry : catalogue()) {
    for (const SmallCase& small : small_cases(entry->info)) {
      const std::string name = fmt::format("{}_{}", entry->info.name, task_word(small.task));
      for (const char* ending : {".gradus", ".rows.csv", ".answers.csv"}) {
        EXPECT_TRUE(fs::exists(folder / (name + ending)))
            << name << ending << " is missing: run write_golden tests/golden";
      }
    }
  }
}

}  // namespace
}  // namespace gradus
