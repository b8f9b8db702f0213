#include "gradus/blocks/shap/interaction_frame.hpp"

#include <algorithm>
#include <vector>

namespace gradus {

void write_framed(const PlayedRows& rows, std::span<const double> mean, const AddPairs& add_pairs,
                  double* out) {
  const std::size_t features = rows.players();
  const std::size_t side = features + 1;
  std::fill_n(out, rows.rows() * mean.size() * side * side, 0.0);
  std::vector<double> pairs(mean.size() * features * features);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::fill(pairs.begin(), pairs.end(), 0.0);
    add_pairs(rows.one(i), pairs.data());
    for (std::size_t k = 0; k < mean.size(); ++k, out += side * side) {
      for (std::size_t j = 0; j < features; ++j) {
        std::copy_n(pairs.data() + (k * features + j) * features, features, out + j * side);
      }
      out[side * side - 1] = mean[k];
    }
  }
}

void add_unframed(std::span<const double> framed, std::size_t outputs, std::size_t players,
                  double* pairs) {
  const std::size_t side = players + 1;
  for (std::size_t k = 0; k < outputs; ++k) {
    for (std::size_t i = 0; i < players; ++i) {
      for (std::size_t j = 0; j < players; ++j) {
        *pairs++ += framed[(k * side + i) * side + j];
      }
    }
  }
}

}  // namespace gradus
