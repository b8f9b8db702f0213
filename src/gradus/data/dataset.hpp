// A table of examples: typed columns of equal length, optional row weights, optional sparse block.
//
// Rows are examples, always. A Dataset is an immutable value; copies share the columns. Sparse
// files (LIBSVM) keep their features in one CSR block whose columns are named by their index.
// Columns are found by name in logarithmic time: a table may have a million of them.
//
//   Dataset data({Column::numeric("x", {1, 2, 3}), Column::numeric("y", {2, 4, 6})});
//   const Column& x = data.column("x");      // Error{usage} with the nearest names if absent
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/value.hpp"
#include "gradus/data/column.hpp"
#include "gradus/data/csr.hpp"

namespace gradus {

// The features of a sparse file: column j of the matrix is called `prefix` + (j + first_index).
struct SparseBlock {
  std::shared_ptr<const CsrMatrix> matrix;
  std::string prefix = "f";
  std::size_t first_index = 1;

  std::string name(std::size_t j) const { return prefix + std::to_string(j + first_index); }
};

class Dataset {
 public:
  // The special members are defined in dataset.cpp: a program that only passes tables on does not
  // compile what columns are made of.
  Dataset();
  Dataset(const Dataset& other);
  Dataset(Dataset&& other) noexcept;
  Dataset& operator=(const Dataset& other);
  Dataset& operator=(Dataset&& other) noexcept;
  ~Dataset();
  // All columns must have the same length and distinct names.
  explicit Dataset(std::vector<Column> columns);

  std::size_t rows() const { return rows_; }
  std::span<const Column> columns() const { return columns_; }
  std::vector<std::string> names() const;
  const Column* find(std::string_view name) const;
  const Column& column(std::string_view name) const;

  // One weight per row, or empty: all rows weigh 1.
  std::span<const double> weights() const;
  const std::optional<SparseBlock>& sparse() const { return sparse_; }

  Dataset with_weights(std::vector<double> weights) const;
  Dataset with_sparse(SparseBlock block) const;
  Dataset with_column(Column column) const;  // replaces a column of the same name in place
  Dataset without(std::string_view name) const;
  Dataset select(std::span<const std::string> names) const;
  Dataset take(std::span<const std::size_t> rows) const;

  // A hash of names, kinds and values in row order: the provenance of a model.
  std::string fingerprint() const;

 private:
  struct NameOrder;  // positions of the columns in the order of their names, made when needed
  void names_changed();

  std::size_t rows_ = 0;
  std::vector<Column> columns_;
  std::shared_ptr<NameOrder> name_order_;  // shared by copies; null: the table is narrow
  std::shared_ptr<const std::vector<double>> weights_;
  std::optional<SparseBlock> sparse_;
};

// Refuses weights that are negative, not finite or all zero, or of another length than `rows`.
void check_weights(std::span<const double> weights, std::size_t rows);

struct SplitOptions {
  double test = 0.25;  // share of the rows, in (0, 1)
  std::uint64_t seed = 0;
  std::string stratify = {};  // a nominal column whose class shares both parts keep; empty: none
};
struct Split {
  Dataset train;
  Dataset test;
};
Split split(const Dataset& data, const SplitOptions& options = {});

}  // namespace gradus
