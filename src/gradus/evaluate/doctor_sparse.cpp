// The doctor on the features of sparse data: those that cannot help, counted over all of them,
// since there may be millions.
#include <fmt/format.h>

#include <unordered_map>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/doctor_parts.hpp"

namespace gradus::doctor {
namespace {

constexpr std::size_t kMostFeatures = 10'000'000;  // of which a few words each fit in memory

struct FeatureFacts {
  std::size_t count = 0;    // numbers other than 0
  double first = 0;         // of them
  bool same = true;         // all are equal to the first
  std::uint64_t state = 0;  // of the rows and their numbers
};

std::vector<FeatureFacts> facts_of(const CsrMatrix& matrix) {
  std::vector<FeatureFacts> facts(matrix.cols);
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    const auto index = matrix.row_index(row);
    const auto value = matrix.row_value(row);
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (value[k] == 0) continue;
      FeatureFacts& feature = facts[index[k]];
      if (feature.count++ == 0) feature.first = value[k];
      feature.same = feature.same && value[k] == feature.first;
      feature.state = mixed(mixed(feature.state, row), number_key(value[k]));
    }
  }
  return facts;
}

// One finding for all features of a kind, with the first as the example.
class Tally {
 public:
  void add(std::string name) {
    if (count_++ == 0) example_ = std::move(name);
  }
  // `words` say what they are, after "3 of 100 features".
  void tell(const char* topic, const char* words, std::size_t all, Findings& out) const {
    if (count_ == 0) return;
    out.push_back({Severity::warning, topic, "",
                   fmt::format("{} of {} {}, such as {}", count_, counted(all, "sparse feature"),
                               words, in_quotes(example_)),
                   object({{"count", count_}, {"example", example_}})});
  }

 private:
  std::size_t count_ = 0;
  std::string example_;
};

}  // namespace

std::vector<std::uint64_t> sparse_row_keys(const CsrMatrix& matrix) {
  std::vector<std::uint64_t> keys(matrix.rows(), 0);
  for (std::size_t row = 0; row < keys.size(); ++row) {
    const auto index = matrix.row_index(row);
    const auto value = matrix.row_value(row);
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (value[k] != 0) keys[row] = mixed(mixed(keys[row], index[k] + 1), number_key(value[k]));
    }
  }
  return keys;
}

void examine_sparse(const SparseBlock& block, Findings& out) {
  const CsrMatrix& matrix = *block.matrix;
  const bool too_many = matrix.cols > kMostFeatures;
  out.push_back({Severity::note, "sparse", "",
                 fmt::format("the {} {}", counted(matrix.cols, "sparse feature"),
                             too_many ? "are too many to be examined"
                                      : "are examined for constants and copies, not for outliers "
                                        "and leaks"),
                 object({{"features", matrix.cols}})});
  if (too_many || matrix.rows() < 2) return;
  Tally empty;
  Tally constant;
  Tally copies;
  std::unordered_map<std::uint64_t, std::size_t> seen;
  const std::vector<FeatureFacts> facts = facts_of(matrix);
  for (std::size_t j = 0; j < facts.size(); ++j) {
    if (facts[j].count == 0) {
      empty.add(block.name(j));
    } else if (facts[j].count == matrix.rows() && facts[j].same) {
      constant.add(block.name(j));
    } else if (!seen.try_emplace(facts[j].state, j).second) {
      copies.add(block.name(j));
    }
  }
  empty.tell("constant", "are 0 in every row", facts.size(), out);
  constant.tell("constant", "have the same number in every row", facts.size(), out);
  copies.tell("duplicate_columns", "repeat an earlier one in every row", facts.size(), out);
}

}  // namespace gradus::doctor
