#include "gradus/data/column.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/level_order.hpp"

namespace gradus {
namespace {

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Copies the chosen rows of a strided column into a fresh vector.
template <class T>
std::vector<T> gathered(const Column& column, std::span<const std::size_t> rows) {
  std::vector<T> values;
  values.reserve(rows.size());
  for (const std::size_t row : rows) {
    values.push_back(load<T>(column.data() + static_cast<std::ptrdiff_t>(row) * column.stride()));
  }
  return values;
}

template <class T>
std::size_t count_nan(const std::byte* at, std::ptrdiff_t stride, std::size_t size) {
  std::size_t count = 0;
  for (std::size_t row = 0; row < size; ++row, at += stride) {
    count += std::isnan(load<T>(at)) ? 1U : 0U;
  }
  return count;
}

}  // namespace

std::string_view kind_word(ColumnKind kind) {
  constexpr std::string_view kWords[] = {"numeric", "nominal", "ordinal", "text"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::optional<ColumnKind> kind_from_word(std::string_view word) {
  for (const auto kind :
       {ColumnKind::numeric, ColumnKind::nominal, ColumnKind::ordinal, ColumnKind::text}) {
    if (kind_word(kind) == word) return kind;
  }
  return std::nullopt;
}

void TextBlock::reserve(std::size_t rows, std::size_t bytes) {
  offsets_.reserve(rows + 1);
  bytes_.reserve(bytes);
}

void TextBlock::push_back(std::string_view text) {
  bytes_ += text;
  offsets_.push_back(bytes_.size());
  if (!missing_.empty()) missing_.push_back(false);
}

void TextBlock::push_missing() {
  if (missing_.empty()) missing_.assign(size(), false);
  offsets_.push_back(bytes_.size());
  missing_.push_back(true);
}

void TextBlock::shrink(std::size_t rows) {
  if (rows >= size()) return;
  offsets_.resize(rows + 1);
  bytes_.resize(offsets_.back());
  if (!missing_.empty()) missing_.resize(rows);
}

Column::Column(const Column& other) = default;
Column::Column(Column&& other) noexcept = default;
Column& Column::operator=(const Column& other) = default;
Column& Column::operator=(Column&& other) noexcept = default;
Column::~Column() = default;

Column Column::numeric(std::string name, std::vector<double> values) {
  const auto owner = std::make_shared<const std::vector<double>>(std::move(values));
  return numeric_view(std::move(name), ElementType::float64, owner->data(), owner->size(),
                      sizeof(double), owner);
}

Column Column::numeric(std::string name, std::vector<float> values) {
  const auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  return numeric_view(std::move(name), ElementType::float32, owner->data(), owner->size(),
                      sizeof(float), owner);
}

Column Column::numeric_view(std::string name, ElementType type, const void* data, std::size_t size,
                            std::ptrdiff_t stride, std::shared_ptr<const void> owner) {
  Column column(std::move(name), ColumnKind::numeric);
  column.type_ = type;
  column.data_ = static_cast<const std::byte*>(data);
  column.size_ = size;
  column.stride_ = stride;
  column.owner_ = std::move(owner);
  return column;
}

Column Column::nominal(std::string name, std::vector<std::int32_t> codes, Levels levels) {
  for (const std::int32_t code : codes) {
    GRADUS_ASSERT(code >= kMissingCode && code < static_cast<std::int32_t>(levels.size()));
  }
  const auto owner = std::make_shared<const std::vector<std::int32_t>>(std::move(codes));
  return categorical_view(std::move(name), ColumnKind::nominal, *owner, std::move(levels), owner);
}

Column Column::categorical_view(std::string name, ColumnKind kind,
                                std::span<const std::int32_t> codes, Levels levels,
                                std::shared_ptr<const void> owner) {
  GRADUS_ASSERT(kind == ColumnKind::nominal || kind == ColumnKind::ordinal);
  Column column(std::move(name), kind);
  column.type_ = ElementType::code32;
  column.data_ = reinterpret_cast<const std::byte*>(codes.data());
  column.size_ = codes.size();
  column.stride_ = sizeof(std::int32_t);
  column.owner_ = std::move(owner);
  column.levels_ = std::make_shared<const Levels>(std::move(levels));
  return column;
}

Column Column::ordinal(std::string name, std::vector<std::int32_t> codes, Levels levels) {
  Column column = nominal(std::move(name), std::move(codes), std::move(levels));
  column.kind_ = ColumnKind::ordinal;
  return column;
}

Column Column::text(std::string name, TextBlock values) {
  Column column(std::move(name), ColumnKind::text);
  column.size_ = values.size();
  column.text_ = std::make_shared<const TextBlock>(std::move(values));
  return column;
}

double Column::number(std::size_t row) const {
  GRADUS_ASSERT(is_numeric());
  const std::byte* at = data_ + static_cast<std::ptrdiff_t>(row) * stride_;
  return type_ == ElementType::float32 ? static_cast<double>(load<float>(at)) : load<double>(at);
}

std::int32_t Column::code(std::size_t row) const {
  GRADUS_ASSERT(is_categorical());
  return load<std::int32_t>(data_ + static_cast<std::ptrdiff_t>(row) * stride_);
}

std::string_view Column::text_at(std::size_t row) const {
  if (kind_ == ColumnKind::text) return (*text_)[row];
  const std::int32_t level = code(row);
  return level == kMissingCode ? std::string_view() : (*levels_)[static_cast<std::size_t>(level)];
}

bool Column::missing(std::size_t row) const {
  if (is_numeric()) return std::isnan(number(row));
  return is_categorical() ? code(row) == kMissingCode : text_->missing(row);
}

std::size_t Column::missing_count() const {
  if (is_numeric()) {
    return type_ == ElementType::float32 ? count_nan<float>(data_, stride_, size_)
                                         : count_nan<double>(data_, stride_, size_);
  }
  std::size_t count = 0;
  for (std::size_t row = 0; row < size_; ++row) count += missing(row) ? 1U : 0U;
  return count;
}

std::string Column::cell(std::size_t row) const {
  if (missing(row)) return {};
  if (!is_numeric()) return std::string(text_at(row));
  if (type_ == ElementType::float32) return shortest(static_cast<float>(number(row)));
  return shortest(number(row));
}

Column Column::renamed(std::string name) const {
  Column copy = *this;
  copy.name_ = std::move(name);
  return copy;
}

Column Column::take(std::span<const std::size_t> rows) const {
  for (const std::size_t row : rows) GRADUS_ASSERT(row < size_);
  switch (kind_) {
    case ColumnKind::numeric:
      return type_ == ElementType::float32 ? numeric(name_, gathered<float>(*this, rows))
                                           : numeric(name_, gathered<double>(*this, rows));
    case ColumnKind::nominal: return nominal(name_, gathered<std::int32_t>(*this, rows), *levels_);
    case ColumnKind::ordinal: return ordinal(name_, gathered<std::int32_t>(*this, rows), *levels_);
    case ColumnKind::text: break;
  }
  TextBlock block;
  for (const std::size_t row : rows) {
    text_->missing(row) ? block.push_missing() : block.push_back((*text_)[row]);
  }
  return text(name_, std::move(block));
}

void sort_levels(Levels& levels) {
  const std::vector<std::string_view> texts(levels.begin(), levels.end());
  Levels sorted;
  sorted.reserve(levels.size());
  for (const std::uint32_t i : level_order(texts)) sorted.push_back(std::move(levels[i]));
  levels = std::move(sorted);
}

Column categorical_from_texts(std::string name, std::span<const std::optional<std::string>> texts) {
  std::unordered_map<std::string_view, std::int32_t> index;
  Levels levels;
  for (const auto& text : texts) {
    if (text && index.try_emplace(*text, 0).second) levels.push_back(*text);
  }
  sort_levels(levels);
  for (std::size_t i = 0; i < levels.size(); ++i) index[levels[i]] = static_cast<std::int32_t>(i);
  std::vector<std::int32_t> codes;
  codes.reserve(texts.size());
  for (const auto& text : texts) codes.push_back(text ? index.at(*text) : kMissingCode);
  return Column::nominal(std::move(name), std::move(codes), std::move(levels));
}

Column as_nominal(const Column& column) {
  if (column.is_categorical()) return column;
  std::vector<std::optional<std::string>> texts(column.size());
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (!column.missing(row)) texts[row] = column.cell(row);
  }
  return categorical_from_texts(column.name(), texts);
}

}  // namespace gradus
