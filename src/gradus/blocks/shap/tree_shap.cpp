#include "gradus/blocks/shap/tree_shap.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gradus/blocks/shap/interaction_frame.hpp"
#include "gradus/blocks/shap/quadrature.hpp"
#include "gradus/core/error.hpp"

namespace gradus {
namespace {

// Answers to the questions of a tree that are remembered at a time.
constexpr std::size_t kMostAnswers = std::size_t{1} << 22U;

// One feature on the way to a leaf, or several that are one player.
struct Factor {
  std::size_t player = 0;
  double unknown = 1;         // z: the share of the rows that pass without knowing it
  std::size_t questions = 0;  // how many of the path are about it
};

// A question of the path, and the answer that leads on.
struct Passed {
  std::size_t node = 0;
  bool left = false;
};

struct LeafPath {
  std::vector<Factor> factors;
  std::vector<Passed> questions;  // in the order of the factors
};

double power(double base, std::size_t exponent) {
  double out = 1;
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 == 1) out *= base;
    base *= base;
  }
  return out;
}

// What a feature that the row passes gives at t.
double factor_at(double share, double t) { return share + (1 - share) * t; }

// The features of a path as one row sees them.
struct Seen {
  std::vector<const Factor*> known;   // o = 1
  std::vector<const Factor*> failed;  // o = 0
  double failed_share = 1;            // the product of their z
  const Quadrature* rule = nullptr;
  // At each node of the rule: its weight, (1 − t) for each failed one, and all known factors.
  std::vector<double> product;

  void prepare(FactorRules& rules) {
    rule = &rules.of(known.size() + failed.size());
    product.resize(rule->node.size());
    for (std::size_t q = 0; q < product.size(); ++q) {
      const double t = rule->node[q];
      // Every value leaves out one factor; a failed one is left out here once and for all.
      double all = rule->weight[q] * failed_share;
      if (!failed.empty()) all *= power(1 - t, failed.size() - 1);
      for (const Factor* factor : known) all *= factor_at(factor->unknown, t);
      product[q] = all;
    }
  }

  // ∫ without one failed feature, divided by its z: what every failed feature loses.
  double failed_integral() const {
    double sum = 0;
    for (const double p : product) sum += p;
    return sum;
  }
  double known_integral(const Factor& without) const {
    double sum = 0;
    for (std::size_t q = 0; q < product.size(); ++q) {
      const double t = rule->node[q];
      const double rest = product[q] / factor_at(without.unknown, t);
      sum += failed.empty() ? rest : rest * (1 - t);
    }
    return sum;
  }
};

class TreeWalk {
 public:
  TreeWalk(const CoveredTrees& model, std::size_t tree)
      : trees_(model.trees),
        cover_(model.cover),
        goes_left_(model.goes_left),
        root_(model.trees.root(tree)),
        end_(model.trees.tree_end(tree)),
        parents_(model.trees.parents(tree)) {}

  std::size_t root() const { return root_; }
  std::size_t end() const { return end_; }
  std::size_t nodes() const { return end_ - root_; }

  // Whether the row goes left at each node.
  void answer(std::span<const double> row, std::uint8_t* left) const {
    for (std::size_t node = root_; node < end_; ++node) {
      if (trees_.is_leaf(node)) continue;
      const double x = row[static_cast<std::size_t>(trees_.feature[node])];
      const bool goes = goes_left_ ? goes_left_(node, row) : trees_.goes_left(node, x);
      left[node - root_] = goes ? 1 : 0;
    }
  }

  // Gathers the questions above a leaf by player.
  void trace(std::size_t leaf, const PlayedRows& rows, LeafPath& path) const {
    const auto player_at = [&](const Passed& at) {
      return rows.player(static_cast<std::size_t>(trees_.feature[at.node]));
    };
    path.factors.clear();
    path.questions.clear();
    for (std::size_t node = leaf; node != root_; node = parents_[node - root_]) {
      const std::size_t parent = parents_[node - root_];
      path.questions.push_back({parent, node == trees_.yes(parent)});
    }
    std::stable_sort(path.questions.begin(), path.questions.end(),
                     [&](const Passed& a, const Passed& b) { return player_at(a) < player_at(b); });
    for (const Passed& at : path.questions) {
      const std::size_t player = player_at(at);
      if (path.factors.empty() || path.factors.back().player != player) {
        path.factors.push_back({player, 1, 0});
      }
      const std::size_t child = at.left ? trees_.yes(at.node) : trees_.no(at.node);
      path.factors.back().unknown *= cover_[child] / cover_[at.node];
      ++path.factors.back().questions;
    }
  }

  void see(const LeafPath& path, const std::uint8_t* left, Seen& seen) const {
    seen.known.clear();
    seen.failed.clear();
    seen.failed_share = 1;
    std::size_t next = 0;
    for (const Factor& factor : path.factors) {
      bool passes = true;
      for (std::size_t q = 0; q < factor.questions; ++q, ++next) {
        const Passed& at = path.questions[next];
        passes = passes && (left[at.node - root_] != 0) == at.left;
      }
      (passes ? seen.known : seen.failed).push_back(&factor);
      if (!passes) seen.failed_share *= factor.unknown;
    }
  }

 private:
  const Trees& trees_;
  std::span<const double> cover_;
  const std::function<bool(std::size_t node, std::span<const double> row)>& goes_left_;
  std::size_t root_;
  std::size_t end_;
  std::vector<std::size_t> parents_;
};

// Where the numbers of a leaf go: one output for trees of width 1, else all of them.
struct Outputs {
  const Trees& trees;
  std::size_t tree;
  std::size_t count;
  std::size_t stride;  // between two outputs

  void add(std::size_t leaf, double times, double* phi) const {
    if (trees.width == 1) {
      phi[tree % count * stride] += trees.value[leaf] * times;
      return;
    }
    trees.for_numbers(leaf,
                      [&](std::size_t k, double number) { phi[k * stride] += number * times; });
  }
};

void add_leaf(const Outputs& out, std::size_t leaf, const Seen& seen, double* phi) {
  for (const Factor* factor : seen.known) {
    out.add(leaf, (1 - factor->unknown) * seen.known_integral(*factor), phi + factor->player);
  }
  if (seen.failed.empty()) return;
  const double lost = -seen.failed_integral();
  for (const Factor* factor : seen.failed) out.add(leaf, lost, phi + factor->player);
}

// ∫ without two features, times what each of them changes.
double pair_integral(const Seen& seen, const Factor& a, const Factor& b, int failed_pair) {
  const auto all_failed = static_cast<int>(seen.failed.size());
  double sum = 0;
  for (std::size_t q = 0; q < seen.product.size(); ++q) {
    const double t = seen.rule->node[q];
    double rest = seen.product[q];
    if (failed_pair < 2) rest /= factor_at(a.unknown, t);
    if (failed_pair < 1) rest /= factor_at(b.unknown, t);
    // `product` has the power failed − 1 of (1 − t), or 0 when none failed.
    const int there = std::max(0, all_failed - 1);
    if (all_failed - failed_pair > there) rest *= 1 - t;
    if (all_failed - failed_pair < there) rest /= 1 - t;
    sum += rest;
  }
  double change = 1;
  if (failed_pair < 2) change *= 1 - a.unknown;
  if (failed_pair < 1) change *= 1 - b.unknown;
  return (failed_pair == 1 ? -1 : 1) * change * sum;
}

struct Pairs {
  std::size_t players;
  double* phi;  // players x players for each output
};

void add_leaf_pairs(const Outputs& out, std::size_t leaf, const Seen& seen, const Pairs& pairs) {
  const auto add = [&](const Factor& a, const Factor& b, int failed_pair) {
    const double half = pair_integral(seen, a, b, failed_pair) / 2;
    const std::size_t i = a.player;
    const std::size_t j = b.player;
    double* line_i = pairs.phi + i * pairs.players;
    double* line_j = pairs.phi + j * pairs.players;
    out.add(leaf, half, line_i + j);
    out.add(leaf, half, line_j + i);
    // What the pair does together is taken from what each does.
    out.add(leaf, -half, line_i + i);
    out.add(leaf, -half, line_j + j);
  };
  for (std::size_t x = 0; x < seen.known.size(); ++x) {
    for (std::size_t y = 0; y < x; ++y) add(*seen.known[x], *seen.known[y], 0);
    for (const Factor* failed : seen.failed) add(*seen.known[x], *failed, 1);
  }
  for (std::size_t x = 0; x < seen.failed.size(); ++x) {
    for (std::size_t y = 0; y < x; ++y) add(*seen.failed[x], *seen.failed[y], 2);
  }
}

// The mean answer of a tree, as shares of the training rows.
void add_means(const TreeWalk& walk, const CoveredTrees& model, const Outputs& out, double* mean) {
  for (std::size_t node = walk.root(); node < walk.end(); ++node) {
    if (!model.trees.is_leaf(node)) continue;
    out.add(node, model.cover[node] / model.cover[walk.root()], mean);
  }
}

}  // namespace

void add_contributions(const CoveredTrees& model, const PlayedRows& rows, std::size_t outputs,
                       double* phi) {
  GRADUS_ASSERT(model.cover.size() == model.trees.nodes());
  const std::size_t stride = rows.players() + 1;
  FactorRules rules;
  LeafPath path;
  Seen seen;
  std::vector<std::uint8_t> left;
  for (std::size_t tree = 0; tree < model.trees.count(); ++tree) {
    const TreeWalk walk(model, tree);
    const Outputs out{model.trees, tree, outputs, stride};
    const std::size_t step = std::max<std::size_t>(1, kMostAnswers / walk.nodes());
    for (std::size_t begin = 0; begin < rows.rows(); begin += step) {
      const std::size_t count = std::min(step, rows.rows() - begin);
      left.resize(count * walk.nodes());
      for (std::size_t i = 0; i < count; ++i) {
        walk.answer(rows.row(begin + i), left.data() + i * walk.nodes());
        add_means(walk, model, out, phi + (begin + i) * outputs * stride + rows.players());
      }
      for (std::size_t leaf = walk.root(); leaf < walk.end(); ++leaf) {
        if (!model.trees.is_leaf(leaf) || leaf == walk.root()) continue;
        walk.trace(leaf, rows, path);
        for (std::size_t i = 0; i < count; ++i) {
          walk.see(path, left.data() + i * walk.nodes(), seen);
          seen.prepare(rules);
          add_leaf(out, leaf, seen, phi + (begin + i) * outputs * stride);
        }
      }
    }
  }
}

void add_interactions(const CoveredTrees& model, const PlayedRows& rows, std::size_t outputs,
                      double* phi) {
  const PlayedRows one = rows.one(0);
  const std::size_t players = one.players();
  // Interactions first, each player's own number being what its pairs leave of φ.
  std::vector<double> whole(outputs * (players + 1), 0.0);
  add_contributions(model, one, outputs, whole.data());
  for (std::size_t k = 0; k < outputs; ++k) {
    for (std::size_t j = 0; j < players; ++j) {
      phi[(k * players + j) * players + j] += whole[k * (players + 1) + j];
    }
  }
  FactorRules rules;
  LeafPath path;
  Seen seen;
  std::vector<std::uint8_t> left;
  for (std::size_t tree = 0; tree < model.trees.count(); ++tree) {
    const TreeWalk walk(model, tree);
    left.resize(walk.nodes());
    walk.answer(one.row(0), left.data());
    for (std::size_t leaf = walk.root() + 1; leaf < walk.end(); ++leaf) {
      if (!model.trees.is_leaf(leaf)) continue;
      walk.trace(leaf, one, path);
      if (path.factors.size() < 2) continue;
      walk.see(path, left.data(), seen);
      seen.prepare(rules);
      add_leaf_pairs({model.trees, tree, outputs, players * players}, leaf, seen, {players, phi});
    }
  }
}

void write_interactions(const CoveredTrees& model, const PlayedRows& rows, std::size_t outputs,
                        double* out) {
  std::vector<double> mean(outputs, 0.0);
  for (std::size_t tree = 0; tree < model.trees.count(); ++tree) {
    add_means(TreeWalk(model, tree), model, {model.trees, tree, outputs, 1}, mean.data());
  }
  write_framed(
      rows, mean,
      [&model, outputs](const PlayedRows& row, double* pairs) {
        add_interactions(model, row, outputs, pairs);
      },
      out);
}

SplitWork split_work(const Trees& trees) {
  SplitWork out;
  for (std::size_t tree = 0; tree < trees.count(); ++tree) {
    const auto depth = static_cast<double>(trees.depth(tree));
    const double work = static_cast<double>(trees.leaves(tree)) * depth * depth;
    out += {work, work * depth};
  }
  return out;
}

}  // namespace gradus
