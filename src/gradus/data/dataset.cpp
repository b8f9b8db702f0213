#include "gradus/data/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/survey.hpp"

namespace gradus {
namespace {

// Columns of a file without a header are called c1, c2, ...
bool are_places(std::span<const std::string> names) {
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (names[j] != "c" + std::to_string(j + 1)) return false;
  }
  return !names.empty();
}

// Up to here, comparing with every name is quicker than keeping their order.
constexpr std::size_t kNarrow = 32;

}  // namespace

// Positions instead of names: four bytes per column, and a copy of the table may share them.
struct Dataset::NameOrder {
  std::once_flag made;
  std::vector<std::uint32_t> positions;
};

void Dataset::names_changed() {
  name_order_ = columns_.size() > kNarrow ? std::make_shared<NameOrder>() : nullptr;
}

Dataset::Dataset() = default;
Dataset::Dataset(const Dataset& other) = default;
Dataset::Dataset(Dataset&& other) noexcept = default;
Dataset& Dataset::operator=(const Dataset& other) = default;
Dataset& Dataset::operator=(Dataset&& other) noexcept = default;
Dataset::~Dataset() = default;

Dataset::Dataset(std::vector<Column> columns) : columns_(std::move(columns)) {
  std::unordered_set<std::string_view> seen;
  for (const Column& column : columns_) {
    if (!seen.insert(column.name()).second) {
      throw Error(ErrorKind::bad_data, "", "two columns are named " + in_quotes(column.name()),
                  "give every column its own name");
    }
    if (column.size() != columns_.front().size()) {
      throw Error(
          ErrorKind::usage, "",
          fmt::format("column {} has {}, column {} has {}", in_quotes(columns_.front().name()),
                      counted(columns_.front().size(), "row"), in_quotes(column.name()),
                      counted(column.size(), "row")));
    }
  }
  rows_ = columns_.empty() ? 0 : columns_.front().size();
  names_changed();
}

std::vector<std::string> Dataset::names() const {
  std::vector<std::string> names;
  for (const Column& column : columns_) names.push_back(column.name());
  return names;
}

const Column* Dataset::find(std::string_view name) const {
  if (!name_order_) {
    const auto found = std::find_if(columns_.begin(), columns_.end(),
                                    [&](const Column& column) { return column.name() == name; });
    return found == columns_.end() ? nullptr : &*found;
  }
  const auto name_of = [&](std::uint32_t position) -> std::string_view {
    return columns_[position].name();
  };
  std::vector<std::uint32_t>& order = name_order_->positions;
  std::call_once(name_order_->made, [&] {
    order.resize(columns_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return name_of(a) < name_of(b); });
  });
  const auto found =
      std::lower_bound(order.begin(), order.end(), name,
                       [&](std::uint32_t a, std::string_view b) { return name_of(a) < b; });
  return found == order.end() || name_of(*found) != name ? nullptr : &columns_[*found];
}

const Column& Dataset::column(std::string_view name) const {
  const Column* found = find(name);
  if (found != nullptr) return *found;
  const std::vector<std::string> have = names();
  std::string hint = did_you_mean(name, have);
  if (hint.empty()) hint = "the columns are " + join(have, ", ").substr(0, 400);
  if (are_places(have)) hint += " (no line with names was found; --header yes takes the first one)";
  throw Error(ErrorKind::usage, "", "there is no column " + in_quotes(name), hint);
}

std::span<const double> Dataset::weights() const {
  return weights_ ? std::span<const double>(*weights_) : std::span<const double>();
}

Dataset Dataset::with_weights(std::vector<double> weights) const {
  check_weights(weights, rows_);
  Dataset copy = *this;
  copy.weights_ = std::make_shared<const std::vector<double>>(std::move(weights));
  return copy;
}

Dataset Dataset::with_sparse(SparseBlock block) const {
  GRADUS_ASSERT(columns_.empty() || block.matrix->rows() == rows_);
  Dataset copy = *this;
  copy.rows_ = block.matrix->rows();
  copy.sparse_ = std::move(block);
  return copy;
}

Dataset Dataset::with_column(Column column) const {
  Dataset copy = *this;
  for (Column& existing : copy.columns_) {
    if (existing.name() == column.name()) {
      existing = std::move(column);
      return copy;
    }
  }
  if (!columns_.empty()) GRADUS_ASSERT(column.size() == rows_);
  copy.rows_ = column.size();
  copy.columns_.push_back(std::move(column));
  copy.names_changed();
  return copy;
}

Dataset Dataset::without(std::string_view name) const {
  column(name);
  Dataset copy = *this;
  std::erase_if(copy.columns_, [&](const Column& column) { return column.name() == name; });
  copy.names_changed();
  return copy;
}

Dataset Dataset::select(std::span<const std::string> names) const {
  Dataset copy = *this;
  copy.columns_.clear();
  for (const std::string& name : names) copy.columns_.push_back(column(name));
  copy.names_changed();
  return copy;
}

Dataset Dataset::take(std::span<const std::size_t> rows) const {
  Dataset copy = *this;
  copy.rows_ = rows.size();
  for (Column& column : copy.columns_) column = column.take(rows);
  if (weights_) {
    std::vector<double> chosen;
    chosen.reserve(rows.size());
    for (const std::size_t row : rows) chosen.push_back((*weights_)[row]);
    copy.weights_ = std::make_shared<const std::vector<double>>(std::move(chosen));
  }
  if (sparse_)
    copy.sparse_->matrix = std::make_shared<const CsrMatrix>(sparse_->matrix->take(rows));
  return copy;
}

std::string Dataset::fingerprint() const { return survey(*this).fingerprint; }

void check_weights(std::span<const double> weights, std::size_t rows) {
  if (weights.size() != rows) {
    throw Error(ErrorKind::bad_data, "weights",
                fmt::format("there are {} for {}", counted(weights.size(), "weight"),
                            counted(rows, "row")));
  }
  double total = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!std::isfinite(weights[row]) || weights[row] < 0) {
      throw Error(ErrorKind::bad_data, "weights",
                  fmt::format("the weight of row {} must be finite and at least 0 (got {})",
                              row + 1, shortest(weights[row])));
    }
    total += weights[row];
  }
  if (rows > 0 && total == 0) {
    throw Error(ErrorKind::bad_data, "weights", "all sample weights are zero");
  }
}

}  // namespace gradus
