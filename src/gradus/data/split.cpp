// Splitting rows at random into a training and a test part.
//
// Rows are shuffled by a stream of the seed and the first round(n * test) of them are the test
// part; both parts keep the order of the file. With `stratify` this happens class by class, and the
// rounding of the class sizes is corrected by largest remainders so that the total is right.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/dataset.hpp"

namespace gradus {
namespace {

std::size_t test_rows(const Dataset& data, const SplitOptions& options) {
  if (!(options.test > 0 && options.test < 1)) {
    throw Error(ErrorKind::usage, "--test",
                "the share of test rows must lie between 0 and 1, both excluded (got " +
                    shortest(options.test) + ")");
  }
  const auto rows = static_cast<double>(data.rows());
  const auto count = static_cast<std::size_t>(std::llround(rows * options.test));
  if (count == 0 || count >= data.rows()) {
    throw Error(ErrorKind::bad_data, "--test",
                fmt::format("a test share of {} of {} leaves one part empty",
                            shortest(options.test), counted(data.rows(), "row")),
                "use more rows or another share");
  }
  return count;
}

// The rows of each group: all together, or class by class.
std::vector<std::vector<std::size_t>> groups_of(const Dataset& data, const std::string& stratify) {
  if (stratify.empty()) {
    std::vector<std::size_t> all(data.rows());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return {std::move(all)};
  }
  const Column& column = data.column(stratify);
  if (!column.is_categorical()) {
    throw Error(ErrorKind::usage, "--stratify",
                fmt::format("column {} is {}, a nominal column is needed", in_quotes(stratify),
                            kind_word(column.kind())),
                "declare it with --nominal, or leave --stratify out");
  }
  std::vector<std::vector<std::size_t>> groups(column.levels().size() + 1);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const std::int32_t code = column.code(row);
    const std::size_t group = code == kMissingCode ? groups.size() - 1 : std::size_t(code);
    groups[group].push_back(row);
  }
  return groups;
}

// Test rows per group: the exact shares rounded down, and the rest to the largest remainders.
std::vector<std::size_t> quotas(const std::vector<std::vector<std::size_t>>& groups,
                                std::size_t total_rows, std::size_t test) {
  std::vector<std::size_t> quota(groups.size());
  std::vector<std::pair<std::size_t, std::size_t>> remainders;  // remainder, group
  std::size_t given = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t share = groups[g].size() * test;
    quota[g] = share / total_rows;
    given += quota[g];
    remainders.emplace_back(share % total_rows, g);
  }
  std::stable_sort(remainders.begin(), remainders.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; given < test; ++i, ++given) ++quota[remainders[i].second];
  return quota;
}

}  // namespace

Split split(const Dataset& data, const SplitOptions& options) {
  const std::size_t test_count = test_rows(data, options);
  std::vector<std::vector<std::size_t>> groups = groups_of(data, options.stratify);
  const std::vector<std::size_t> quota = quotas(groups, data.rows(), test_count);
  std::vector<std::size_t> train;
  std::vector<std::size_t> test;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Stream stream(options.seed, g);
    stream.shuffle(std::span(groups[g]));
    const auto cut = groups[g].begin() + static_cast<std::ptrdiff_t>(quota[g]);
    test.insert(test.end(), groups[g].begin(), cut);
    train.insert(train.end(), cut, groups[g].end());
  }
  std::sort(train.begin(), train.end());
  std::sort(test.begin(), test.end());
  return {data.take(train), data.take(test)};
}

}  // namespace gradus
