// The error of a forest on rows that its trees did not draw, and how it falls with their number.
#include <algorithm>
#include <cmath>

#include "gradus/blocks/forest/forest.hpp"

namespace gradus {
namespace {

constexpr std::size_t kOobBlock = 512;

}  // namespace

// Sums over some rows, for the first 1, 2, ... trees.
struct ForestGrower::Errors {
  std::vector<double> loss;
  std::vector<double> weight;
  std::int64_t rows = 0;
};

// Every row is answered by the trees that did not draw it.
void ForestGrower::measure_out_of_bag(ForestModel& model) const {
  const Errors sums = parallel::reduce_ordered<Errors>(
      context_, weights_.size(), kOobBlock,
      [&](parallel::Block block) { return errors_of(model.trees, block); },
      [](Errors& total, const Errors& part) {
        for (std::size_t t = 0; t < total.loss.size(); ++t) {
          total.loss[t] += part.loss[t];
          total.weight[t] += part.weight[t];
        }
        total.rows += part.rows;
      });
  model.oob_rows = sums.rows;
  for (std::size_t t = 0; t < sums.loss.size(); ++t) {
    const bool known = sums.weight[t] > 0 && std::isfinite(sums.loss[t]);
    model.oob_curve.push_back(known ? sums.loss[t] / sums.weight[t] : -1);
  }
  // A forest of a few trees may leave no row out.
  if (model.oob_curve.back() >= 0) model.oob_error = model.oob_curve.back();
}

// What the trees so far said about one row.
struct ForestGrower::Votes {
  std::span<double> sums;
  std::size_t most = 0;  // the first of the largest sums
  double voters = 0;
  double loss = 0;

  void add(const Trees& trees, std::size_t leaf) {
    trees.for_numbers(leaf, [&](std::size_t k, double number) { sums[k] += number; });
    most = static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
  }
  // The share 1 of one class; all others have none.
  void add_class(std::size_t code) {
    sums[code] += 1;
    if (sums[code] > sums[most] || (sums[code] == sums[most] && code < most)) most = code;
  }
};

double ForestGrower::loss(std::size_t row, const Votes& votes) const {
  if (task_.signature.task == Task::classify) {
    return votes.most == static_cast<std::size_t>(task_.classes[row]) ? 0 : 1;
  }
  const double error = votes.sums[0] / votes.voters - task_.numbers[row];
  return error * error;
}

ForestGrower::Errors ForestGrower::errors_of(const Trees& trees, parallel::Block block) const {
  const std::size_t count = left_out_.size();
  const auto width = static_cast<std::size_t>(trees.width);
  Errors out{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0), 0};
  std::vector<double> sums(block.size() * width, 0.0);
  std::vector<Votes> votes(block.size());
  for (std::size_t i = 0; i < votes.size(); ++i) {
    votes[i].sums = std::span(sums).subspan(i * width, width);
  }
  double loss_sum = 0;
  double weight_sum = 0;
  for (std::size_t tree = 0; tree < count; ++tree) {
    const LeftOut& left = left_out_[tree];
    const auto first = std::lower_bound(left.rows.begin(), left.rows.end(), block.begin);
    auto place = static_cast<std::size_t>(first - left.rows.begin());
    for (; place < left.rows.size() && left.rows[place] < block.end; ++place) {
      const std::size_t row = left.rows[place];
      Votes& mine = votes[row - block.begin];
      // Where leaves name their class, a large forest need not be read.
      const std::int32_t only = left.only_class.empty() ? -1 : left.only_class[place];
      if (only >= 0) {
        mine.add_class(static_cast<std::size_t>(only));
      } else {
        mine.add(trees, static_cast<std::size_t>(left.leaf[place]));
      }
      const double w = task_.weight(row);
      if (mine.voters == 0) weight_sum += w;
      mine.voters += 1;
      const double now = w * loss(row, mine);
      loss_sum += now - mine.loss;
      mine.loss = now;
    }
    out.loss[tree] = loss_sum;
    out.weight[tree] = weight_sum;
  }
  // The last sum is taken anew, without what the differences have rounded.
  if (count > 0) out.loss.back() = 0;
  for (const Votes& mine : votes) {
    if (mine.voters == 0) continue;
    out.loss.back() += mine.loss;
    ++out.rows;
  }
  return out;
}

}  // namespace gradus
