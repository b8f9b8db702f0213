// One typed column of a table: a name, a kind, and values that are shared, never copied.
//
// A column is an immutable view with an owner behind it. Columns read from a file own a vector;
// columns that come from NumPy point into the caller's memory, in any stride. Copying a Column
// copies pointers. Missing is NaN in numbers and `kMissingCode` in codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

enum class ColumnKind { numeric, nominal, ordinal, text };
std::string_view kind_word(ColumnKind kind);
std::optional<ColumnKind> kind_from_word(std::string_view word);

enum class ElementType : std::uint8_t { float64, float32, code32 };

inline constexpr std::int32_t kMissingCode = -1;

// Many strings in one block of memory; the offset of string i + 1 ends string i.
class TextBlock {
 public:
  std::size_t size() const { return offsets_.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return std::string_view(bytes_).substr(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  bool missing(std::size_t i) const { return !missing_.empty() && missing_[i]; }
  void reserve(std::size_t rows, std::size_t bytes);
  void push_back(std::string_view text);
  void push_missing();
  void shrink(std::size_t rows);  // keeps the first `rows`

 private:
  std::string bytes_;
  std::vector<std::uint64_t> offsets_ = {0};
  std::vector<bool> missing_;  // empty while nothing is missing
};

using Levels = std::vector<std::string>;

class Column {
 public:
  Column(const Column& other);
  Column(Column&& other) noexcept;
  Column& operator=(const Column& other);
  Column& operator=(Column&& other) noexcept;
  ~Column();

  static Column numeric(std::string name, std::vector<double> values);
  static Column numeric(std::string name, std::vector<float> values);
  // A view of `size` numbers `stride` bytes apart; `owner` keeps the memory alive.
  static Column numeric_view(std::string name, ElementType type, const void* data, std::size_t size,
                             std::ptrdiff_t stride, std::shared_ptr<const void> owner);
  // Codes index into `levels`; kMissingCode is missing. An ordinal column has ordered levels.
  static Column nominal(std::string name, std::vector<std::int32_t> codes, Levels levels);
  static Column ordinal(std::string name, std::vector<std::int32_t> codes, Levels levels);
  // A view of `codes`, all of them sound; nominal or ordinal. `owner` keeps the memory alive.
  static Column categorical_view(std::string name, ColumnKind kind,
                                 std::span<const std::int32_t> codes, Levels levels,
                                 std::shared_ptr<const void> owner);
  static Column text(std::string name, TextBlock values);

  const std::string& name() const { return name_; }
  ColumnKind kind() const { return kind_; }
  bool is_numeric() const { return kind_ == ColumnKind::numeric; }
  bool is_categorical() const {
    return kind_ == ColumnKind::nominal || kind_ == ColumnKind::ordinal;
  }
  std::size_t size() const { return size_; }

  // Raw access for kernels; null for text.
  ElementType element_type() const { return type_; }
  const std::byte* data() const { return data_; }
  std::ptrdiff_t stride() const { return stride_; }

  double number(std::size_t row) const;             // numeric columns
  std::int32_t code(std::size_t row) const;         // nominal and ordinal columns
  std::string_view text_at(std::size_t row) const;  // text columns, and the level of a code
  bool missing(std::size_t row) const;
  std::size_t missing_count() const;
  const Levels& levels() const { return *levels_; }

  // The cell as it would stand in a file; empty when missing.
  std::string cell(std::size_t row) const;

  Column renamed(std::string name) const;
  Column take(std::span<const std::size_t> rows) const;

 private:
  Column(std::string name, ColumnKind kind) : name_(std::move(name)), kind_(kind) {}

  std::string name_;
  ColumnKind kind_;
  ElementType type_ = ElementType::float64;
  std::size_t size_ = 0;
  std::ptrdiff_t stride_ = 0;
  const std::byte* data_ = nullptr;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const Levels> levels_;
  std::shared_ptr<const TextBlock> text_;
};

// The order of categories and classes: numbers by value, then other texts by bytes. It does not
// depend on the order of the rows, so shuffling a file cannot change a model.
void sort_levels(Levels& levels);

// A categorical column over sorted levels from texts (nullopt is missing).
Column categorical_from_texts(std::string name, std::span<const std::optional<std::string>> texts);

// A categorical column over the distinct values of any column, written as text.
Column as_nominal(const Column& column);

}  // namespace gradus
