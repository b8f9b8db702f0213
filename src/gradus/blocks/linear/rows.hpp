// The rows of a table for learners that visit them one at a time, dense or sparse alike: the
// product of a row with a vector of coefficients, and a multiple of a row added to one.
//
//   LinearRows rows(task.features, context);
//   const double z = rows.dot(i, w.data());
//   rows.add(i, -step * slope, w.data());
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/context.hpp"
#include "gradus/data/csr.hpp"
#include "gradus/simd/kernels.hpp"
#include "gradus/simd/sparse.hpp"

namespace gradus {

class LinearRows {
 public:
  // Sparse features are borrowed; dense ones too where they are one block of numbers.
  LinearRows(const Features& features, const Context& context);
  LinearRows(const LinearRows&) = delete;
  LinearRows& operator=(const LinearRows&) = delete;

  std::size_t rows() const { return rows_; }
  std::size_t features() const { return features_; }
  bool sparse() const { return sparse_ != nullptr; }
  // Stored numbers of row i.
  std::size_t stored(std::size_t i) const {
    return sparse_ == nullptr ? features_ : sparse_->row_begin[i + 1] - sparse_->row_begin[i];
  }

  // Many columns of which a row uses few, as in texts; the same for dense and for sparse storage.
  bool are_mostly_zero() const;

  // A row and, where it is dense, its numbers: those of the table, or a copy that lies at hand with
  // zeros behind its end, so that whole registers can be read.
  struct Visit {
    std::size_t row = 0;
    const double* numbers = nullptr;  // null: sparse
    std::size_t width = 0;
  };
  Visit visit(std::size_t i) const {
    if (sparse_ != nullptr) return {i, nullptr, 0};
    return {i, dense_ + i * features_, features_};
  }

  double dot(std::size_t i, const double* w) const { return dot(visit(i), w); }
  // `w` has `visit.width` places.
  double dot(const Visit& visit, const double* w) const {
    if (visit.numbers != nullptr) return simd::dot(visit.numbers, w, visit.width);
    return sparse_dot(visit.row, w);
  }

  // w += factor * row i.
  void add(std::size_t i, double factor, double* w) const { add(visit(i), factor, w); }
  void add(const Visit& visit, double factor, double* w) const {
    if (visit.numbers != nullptr) return simd::axpy(factor, visit.numbers, w, visit.width);
    const std::size_t i = visit.row;
    for (std::uint64_t at = sparse_->row_begin[i]; at < sparse_->row_begin[i + 1]; ++at) {
      w[sparse_->index[at]] += factor * sparse_->value[at];
    }
  }

  // Asks for the beginning of row i, which is visited soon: in random order nobody else can know.
  // A function that only asks for memory has no effect that the compiler knows of: unless it is
  // written into its caller first, g++ takes the call away.
  [[gnu::always_inline]] inline void fetch(std::size_t i) const {
    constexpr std::size_t kLine = 8;
    constexpr std::size_t kMost = 64;
    if (sparse_ == nullptr) {
      const double* row = dense_ + i * features_;
      for (std::size_t j = 0; j < features_ && j < kMost; j += kLine) __builtin_prefetch(row + j);
      return;
    }
    __builtin_prefetch(sparse_->index.data() + sparse_->row_begin[i]);
    __builtin_prefetch(sparse_->value.data() + sparse_->row_begin[i]);
  }

  // Calls body(feature, value) for the numbers of row i that are not 0.
  template <class Body>
  void for_each(std::size_t i, Body&& body) const {
    for_each(visit(i), std::forward<Body>(body));
  }
  template <class Body>
  void for_each(const Visit& visit, Body&& body) const {
    if (visit.numbers != nullptr) {
      for (std::size_t j = 0; j < features_; ++j) {
        if (visit.numbers[j] != 0) body(j, visit.numbers[j]);
      }
      return;
    }
    const std::size_t i = visit.row;
    for (std::uint64_t at = sparse_->row_begin[i]; at < sparse_->row_begin[i + 1]; ++at) {
      body(static_cast<std::size_t>(sparse_->index[at]), sparse_->value[at]);
    }
  }

  // Row i for the kernels of sparse rows; of a dense row every column is stored.
  simd::SparseRow stored_row(std::size_t i) const {
    if (sparse_ == nullptr) return {every_.data(), dense_ + i * features_, features_};
    const std::uint64_t at = sparse_->row_begin[i];
    return {sparse_->index.data() + at, sparse_->value.data() + at, sparse_->row_begin[i + 1] - at};
  }

  double square(std::size_t i) const;

 private:
  double sparse_dot(std::size_t i, const double* w) const;

  std::size_t rows_;
  std::size_t features_;
  const CsrMatrix* sparse_;
  const double* dense_ = nullptr;
  std::vector<double> copy_;
  std::vector<std::uint32_t> every_;  // 0, 1, ... of dense rows
};

// Refuses a row whose square is no finite number, naming the column.
void require_squares(const LinearRows& rows, const Signature& signature);

// The numbers of a table that are not 0, for solvers of sparse problems.
CsrMatrix as_sparse(const Features& features, const Context& context);

}  // namespace gradus
