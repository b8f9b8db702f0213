// The steps of a forest: what each tree drew and how it begins, and what the rows left out say.
#pragma once

#include <cstddef>
#include <span>

#include "gradus/models/ensemble/random_forest/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

class ForestStory {
 public:
  ForestStory(const RandomForestModel& model, const Signature& signature, Trace& trace)
      : model_(model), signature_(signature), trace_(trace) {}

  // The first trees are told one by one.
  bool wants(std::size_t tree) const;
  void tree(std::size_t tree, std::span<const double> times_drawn) const;
  void finish() const;

 private:
  const RandomForestModel& model_;
  const Signature& signature_;
  Trace& trace_;
};

}  // namespace gradus
