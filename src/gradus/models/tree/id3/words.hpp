// A fitted ID3 tree in words: paths, rules, and the answer of a leaf.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gradus/models/tree/id3/model.hpp"

namespace gradus {

// The way from the root to each node, found again from the children's places.
class Id3Paths {
 public:
  Id3Paths(const Id3Model& model, const Signature& signature);

  // "outlook = sunny", "humidity = high": the tests on the way, root first.
  std::vector<std::string> tests(std::size_t node) const;
  std::string path(std::size_t node) const;   // "tree/outlook=sunny/humidity=high"
  std::string where(std::size_t node) const;  // "outlook = sunny AND humidity = high", "the root"
  std::size_t depth(std::size_t node) const;
  std::size_t parent(std::size_t node) const { return parent_[node]; }

  // Tells where the children of a node are; while growing, once the node is split.
  void add_children(std::size_t node);

 private:
  std::string test(std::size_t node, std::string_view equals) const;
  std::vector<std::size_t> ancestry(std::size_t node) const;

  const Id3Model& model_;
  const Signature& signature_;
  std::vector<std::size_t> parent_;
};

// The class that a leaf answers: its own majority, or the parent's when no training row is in it.
std::size_t answer_of(const Id3Model& model, const Id3Paths& paths, std::size_t node);

}  // namespace gradus
