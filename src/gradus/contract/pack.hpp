// The whole table as one row-major block, for learners that go over it again and again.
#pragma once

#include <memory>

#include "gradus/contract/features.hpp"
#include "gradus/core/context.hpp"

namespace gradus {

// Points into the source where that already is such a block; else owns a copy, packed by all
// threads.
class PackedRows {
 public:
  PackedRows(const Features& features, const Context& context);

  const RowBlock& table() const { return table_; }

 private:
  std::unique_ptr<double[]> memory_;
  RowBlock table_;
};

}  // namespace gradus
