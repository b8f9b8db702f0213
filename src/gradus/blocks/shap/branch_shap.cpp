#include "gradus/blocks/shap/branch_shap.hpp"

#include <algorithm>
#include <vector>

#include "gradus/blocks/shap/interaction_frame.hpp"
#include "gradus/blocks/shap/quadrature.hpp"

namespace gradus {
namespace {

// A column on the way to where a row ends, or several that are one player.
struct PathColumn {
  std::size_t player = 0;
  double known = 1;    // o: the part of the row that takes this way when the column is known
  double unknown = 1;  // z: the share of the training rows that took it

  double at(double t) const { return unknown + (known - unknown) * t; }
  double change() const { return known - unknown; }
};

// A place where a part of the row may end: the columns that lead there, and who answers.
struct Ending {
  std::vector<PathColumn> factors;
  std::size_t answering = 0;
};

class BranchWalk {
 public:
  BranchWalk(const BranchTree& tree, const PlayedRows& rows)
      : tree_(tree), rows_(rows), parents_(tree.parents()) {
    below_.resize(tree.nodes(), 0.0);
    for (std::size_t node = 0; node < tree.nodes(); ++node) {
      for (std::size_t i = 0; i < tree.width(node); ++i) {
        below_[node] += tree.weight_of(tree.child(node, i));
      }
    }
  }

  // Calls `visit(ending)` for every place that a row can reach with or without its columns.
  template <class Visit>
  void endings(std::span<const double> row, const Visit& visit) {
    choose(row);
    for (std::size_t node = 0; node < tree_.nodes(); ++node) {
      ending_.factors.clear();
      const bool inner = !tree_.is_leaf(node);
      if (inner) {
        const double known = branch_[node] == kStayHere ? 1 : 0;
        const double unknown = below_[node] > 0 ? 0 : 1;
        if (!pass(node, known, unknown)) continue;
      }
      if (!climb(node)) continue;
      ending_.answering = tree_.weight_of(node) > 0 ? node : parents_[node];
      visit(ending_);
    }
  }

 private:
  // The branch of the row at every node; parts that have nowhere to go stay.
  void choose(std::span<const double> row) {
    branch_.assign(tree_.nodes(), kStayHere);
    for (std::size_t node = 0; node < tree_.nodes(); ++node) {
      if (tree_.is_leaf(node)) continue;
      const double x = row[static_cast<std::size_t>(tree_.feature[node])];
      const std::int32_t branch = tree_.branch_of(node, x);
      branch_[node] = branch == kSpreadMissing && below_[node] <= 0 ? kStayHere : branch;
    }
  }

  // Multiplies what a column lets through; false when nobody comes through any more.
  bool pass(std::size_t node, double known, double unknown) {
    const std::size_t player = rows_.player(static_cast<std::size_t>(tree_.feature[node]));
    const auto same = [player](const PathColumn& factor) { return factor.player == player; };
    auto at = std::find_if(ending_.factors.begin(), ending_.factors.end(), same);
    if (at == ending_.factors.end()) at = ending_.factors.insert(at, {player, 1, 1});
    at->known *= known;
    at->unknown *= unknown;
    return at->known > 0 || at->unknown > 0;
  }

  bool climb(std::size_t node) {
    for (; node != 0; node = parents_[node]) {
      const std::size_t parent = parents_[node];
      const double share = below_[parent] > 0 ? tree_.weight_of(node) / below_[parent] : 0;
      const std::int32_t branch = branch_[parent];
      double known = 0;
      if (branch == kSpreadMissing) {
        known = share;
      } else if (branch >= 0 && tree_.child(parent, static_cast<std::size_t>(branch)) == node) {
        known = 1;
      }
      if (!pass(parent, known, share)) return false;
    }
    return true;
  }

  const BranchTree& tree_;
  const PlayedRows& rows_;
  std::vector<std::size_t> parents_;
  std::vector<double> below_;         // node: the weight of its children
  std::vector<std::int32_t> branch_;  // node: of the row in hand
  Ending ending_;
};

// Π over all columns at each node of the rule, with its weight.
class Products {
 public:
  void prepare(const Ending& ending, FactorRules& rules) {
    rule_ = &rules.of(ending.factors.size());
    product_ = rule_->weight;
    for (const PathColumn& factor : ending.factors) {
      for (std::size_t q = 0; q < product_.size(); ++q) product_[q] *= factor.at(rule_->node[q]);
    }
  }
  double without(const PathColumn& a) const {
    double sum = 0;
    for (std::size_t q = 0; q < product_.size(); ++q) sum += product_[q] / a.at(rule_->node[q]);
    return sum;
  }
  double without(const PathColumn& a, const PathColumn& b) const {
    double sum = 0;
    for (std::size_t q = 0; q < product_.size(); ++q) {
      sum += product_[q] / (a.at(rule_->node[q]) * b.at(rule_->node[q]));
    }
    return sum;
  }

 private:
  const Quadrature* rule_ = nullptr;
  std::vector<double> product_;
};

// Adds the class shares of a node, `times` each, to numbers that are `stride` apart.
void add_shares_of(const BranchTree& tree, std::size_t node, double times, std::size_t stride,
                   double* out) {
  const double weight = tree.weight_of(node);
  for (const double count : tree.counts_of(node)) {
    *out += count / weight * times;
    out += stride;
  }
}

double reached_unknown(const Ending& ending) {
  double product = 1;
  for (const PathColumn& factor : ending.factors) product *= factor.unknown;
  return product;
}

}  // namespace

void add_branch_contributions(const BranchTree& tree, const PlayedRows& rows, double* phi) {
  const std::size_t stride = rows.players() + 1;
  BranchWalk walk(tree, rows);
  FactorRules rules;
  Products products;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    walk.endings(rows.row(i), [&](const Ending& ending) {
      const auto add = [&](std::size_t column, double times) {
        add_shares_of(tree, ending.answering, times, stride, phi + column);
      };
      add(rows.players(), reached_unknown(ending));
      if (ending.factors.empty()) return;
      products.prepare(ending, rules);
      for (const PathColumn& factor : ending.factors) {
        add(factor.player, factor.change() * products.without(factor));
      }
    });
    phi += static_cast<std::size_t>(tree.classes) * stride;
  }
}

void add_branch_interactions(const BranchTree& tree, const PlayedRows& rows, double* phi) {
  const PlayedRows one = rows.one(0);
  const std::size_t players = one.players();
  const auto classes = static_cast<std::size_t>(tree.classes);
  // Each column's own number is what its pairs leave of φ.
  std::vector<double> whole(classes * (players + 1), 0.0);
  add_branch_contributions(tree, one, whole.data());
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t j = 0; j < players; ++j) {
      phi[(k * players + j) * players + j] += whole[k * (players + 1) + j];
    }
  }
  FactorRules rules;
  Products products;
  BranchWalk(tree, one).endings(one.row(0), [&](const Ending& ending) {
    if (ending.factors.size() < 2) return;
    products.prepare(ending, rules);
    const auto add = [&](std::size_t i, std::size_t j, double times) {
      add_shares_of(tree, ending.answering, times, players * players, phi + i * players + j);
    };
    for (std::size_t x = 0; x < ending.factors.size(); ++x) {
      for (std::size_t y = 0; y < x; ++y) {
        const PathColumn& a = ending.factors[x];
        const PathColumn& b = ending.factors[y];
        const double half = a.change() * b.change() * products.without(a, b) / 2;
        add(a.player, b.player, half);
        add(b.player, a.player, half);
        add(a.player, a.player, -half);
        add(b.player, b.player, -half);
      }
    }
  });
}

void write_branch_interactions(const BranchTree& tree, const PlayedRows& rows, double* out) {
  if (rows.rows() == 0) return;
  // The mean answer is the same for all rows.
  const std::size_t stride = rows.players() + 1;
  std::vector<double> whole(static_cast<std::size_t>(tree.classes) * stride, 0.0);
  add_branch_contributions(tree, rows.one(0), whole.data());
  std::vector<double> mean;
  for (std::size_t k = rows.players(); k < whole.size(); k += stride) mean.push_back(whole[k]);
  write_framed(
      rows, mean,
      [&tree](const PlayedRows& row, double* pairs) { add_branch_interactions(tree, row, pairs); },
      out);
}

SplitWork split_work(const BranchTree& tree) {
  const auto depth = static_cast<double>(tree.depth());
  const double work = static_cast<double>(tree.nodes()) * depth * depth;
  return {work, work * depth};
}

}  // namespace gradus
