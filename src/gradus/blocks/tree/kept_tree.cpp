#include "gradus/blocks/tree/kept_tree.hpp"

#include <cmath>

#include "gradus/blocks/tree/leaf_classes.hpp"
#include "gradus/blocks/tree/tree_words.hpp"
#include "gradus/core/shown_number.hpp"

namespace gradus {

Value tree_of_ensemble(const Trees& trees, std::size_t tree, const Signature& signature,
                       NodeNumbers numbers) {
  if (trees.keeps_counts()) {
    return tree_of_ensemble(tree_with_values(trees, tree), 0, signature, numbers);
  }
  const TreeWords words(trees, tree, signature);
  const bool classes = signature.task == Task::classify &&
                       static_cast<std::size_t>(trees.width) == signature.classes.size();
  return tree_value(trees, tree, words, [&](std::size_t node, Value& out) {
    const bool known = !trees.cover.empty();
    if (known) out["n"] = whole_if_near(trees.cover[node]);
    if (!classes) {
      out[trees.is_leaf(node) ? "leaf" : "mean"] = trees.value_of(node)[0];
      return;
    }
    const bool counted = known && numbers == NodeNumbers::shares;
    if (counted) out["counts"] = object();
    for (std::size_t k = 0; counted && k < signature.classes.size(); ++k) {
      out["counts"][signature.classes[k]] =
          whole_if_near(trees.value_of(node)[k] * trees.cover[node]);
    }
    out[trees.is_leaf(node) ? "leaf" : "majority"] = answer_in_words(trees, node, signature);
  });
}

}  // namespace gradus
