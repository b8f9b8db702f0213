#include "gradus/models/tree/id3/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gradus/blocks/impurity/bit_gains.hpp"
#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/shap/branch_shap.hpp"
#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<Id3>();

std::size_t majority(std::span<const double> counts) {
  return static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

bool descend(const Id3Model& model, std::span<const double> row, Id3Walk& walk) {
  if (model.is_leaf(walk.node)) return false;
  const double level = row[static_cast<std::size_t>(model.feature[walk.node])];
  // Written so that NaN, which is in no range, ends the walk here.
  if (!(level >= 0 && level < static_cast<double>(model.branches(walk.node)))) return false;
  walk.node = model.child(walk.node, static_cast<std::size_t>(level));
  if (total_of(model.counts_of(walk.node)) > 0) walk.answering = walk.node;
  return true;
}

void Id3Model::predict(const RowBlock& rows, double* out) const {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    Id3Walk walk;
    while (descend(*this, rows.row(i), walk)) {
    }
    const std::span<const double> answer = counts_of(walk.answering);
    const double total = total_of(answer);
    for (const double count : answer) *out++ = count / total;
  }
}

BranchTree branch_tree_of(const Id3Model& model) {
  BranchTree out = BranchTree::leaf(static_cast<std::size_t>(model.classes));
  std::vector<std::size_t> origin = {0};  // of every new node
  for (std::size_t node = 0; node < origin.size(); ++node) {
    const std::size_t from = origin[node];
    out.set_counts(node, model.counts_of(from));
    if (model.is_leaf(from)) continue;
    BranchQuestion question{.feature = static_cast<std::size_t>(model.feature[from]),
                            .branches = model.branches(from),
                            .missing = kStayHere,
                            .of_level = std::vector<std::int32_t>(model.branches(from))};
    std::iota(question.of_level.begin(), question.of_level.end(), 0);
    out.split(node, question);
    for (std::size_t level = 0; level < question.branches; ++level) {
      origin.push_back(model.child(from, level));
    }
  }
  return out;
}

void Id3Model::contributions(const PlayedRows& rows, double* out) const {
  std::fill_n(out, rows.rows() * contribution_scores() * (rows.players() + 1), 0.0);
  add_branch_contributions(branch_tree_of(*this), rows, out);
}

void Id3Model::interactions(const PlayedRows& rows, double* out) const {
  write_branch_interactions(branch_tree_of(*this), rows, out);
}

SplitWork Id3Model::contribution_work() const { return split_work(branch_tree_of(*this)); }

namespace {

[[noreturn]] void refuse(const char* why) {
  throw Error(ErrorKind::bad_data, "model", std::string("the tree is damaged: ") + why);
}

void check_shape(const Id3Model& model, const Signature& signature) {
  if (signature.task != Task::classify || signature.classes.empty() ||
      static_cast<std::size_t>(std::max(model.classes, 0)) != signature.classes.size()) {
    refuse("its classes are not those of the target");
  }
  if (model.levels.size() != signature.features.size()) {
    refuse("its attributes are not those of the data");
  }
  for (std::size_t i = 0; i < model.levels.size(); ++i) {
    const FeatureName& name = signature.features[i];
    if (!name.nominal ||
        static_cast<std::size_t>(std::max(model.levels[i], 0)) != name.levels.size()) {
      refuse("the levels of an attribute differ");
    }
  }
  const std::size_t nodes = model.nodes();
  if (nodes == 0 || model.first_child.size() != nodes ||
      model.counts.size() / signature.classes.size() != nodes ||
      model.counts.size() % signature.classes.size() != 0) {
    refuse("its arrays differ in length");
  }
}

void check_counts(const Id3Model& model, std::size_t node) {
  for (const double count : model.counts_of(node)) {
    if (!std::isfinite(count) || count < 0) refuse("a class count is not a weight of rows");
  }
  const double total = total_of(model.counts_of(node));
  if (!std::isfinite(total)) refuse("the class counts are too large");
  if (total <= 0 && (node == 0 || !model.is_leaf(node))) refuse("an inner node holds no row");
}

void check_branches(const Id3Model& model, std::size_t node) {
  if (model.feature[node] < 0 ||
      static_cast<std::size_t>(model.feature[node]) >= model.levels.size()) {
    refuse("a node asks for an attribute that is not there");
  }
  const std::size_t width = model.branches(node);
  const auto first = static_cast<std::size_t>(std::max(model.first_child[node], 0));
  if (width == 0 || width > model.nodes() || first <= node || first > model.nodes() - width) {
    refuse("a branch leads outside the tree");
  }
}

}  // namespace

// Every node but the root is the child of exactly one earlier node, and no path is longer than the
// number of attributes. So a walk always moves forward, and ends soon.
void Id3Model::check(const Signature& signature) const {
  check_shape(*this, signature);
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> depth(nodes(), kNone);
  depth[0] = 0;
  for (std::size_t node = 0; node < nodes(); ++node) {
    check_counts(*this, node);
    if (depth[node] == kNone) refuse("a node has no parent");
    if (is_leaf(node)) {
      if (first_child[node] != 0) refuse("a leaf has branches");
      continue;
    }
    check_branches(*this, node);
    if (depth[node] == levels.size()) refuse("an attribute is asked for twice on a path");
    for (std::size_t level = 0; level < branches(node); ++level) {
      if (depth[child(node, level)] != kNone) refuse("two branches meet");
      depth[child(node, level)] = depth[node] + 1;
    }
  }
}

FeatureUse Id3Model::feature_use(const Signature& signature) const {
  return bit_gains(*this, signature.features.size(),
                   [this](std::size_t node) { return branches(node); });
}

}  // namespace gradus
