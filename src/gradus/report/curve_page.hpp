// Learning and validation curves, bias and variance: for a terminal and as a page.
#pragma once

#include <string>
#include <vector>

#include "gradus/evaluate/bias_variance.hpp"
#include "gradus/evaluate/curves.hpp"
#include "gradus/report/document.hpp"
#include "gradus/report/pages.hpp"

namespace gradus::report {

struct CurveStory {
  const Curve& curve;
  const AnyLearner& learner;
  const Dataset& data;
  std::string folds_text = {};
  std::vector<std::string> target = {};
  Origin origin = {};
};

Document curve_page(const CurveStory& story);
// For a terminal: the diagnosis, the picture, the points.
Document curve_summary(const CurveStory& story);

// What the curve says and what to try.
std::vector<Block> diagnosis_blocks(const Diagnosis& diagnosis);

// Both scores along the curve, with the intervals of the examined one and the baseline.
Figure curve_figure(const Curve& curve);
Table curve_table(const Curve& curve);

struct BiasVarianceStory {
  const BiasVariance& result;
  const AnyLearner& learner;
  const Dataset& data;
  std::vector<std::string> target = {};
  Origin origin = {};
};
Document bias_variance_page(const BiasVarianceStory& story);
std::vector<Block> bias_variance_blocks(const BiasVariance& result);

}  // namespace gradus::report
