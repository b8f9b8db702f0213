// Inside evaluate/: the measures of predicted classes that need a number per class.
#pragma once

#include "gradus/evaluate/metrics.hpp"
#include "gradus/evaluate/ranking.hpp"

namespace gradus {

// Everything that follows from `counts`: n, accuracy, the scores of classes and their means, kappa,
// MCC. Reasons for what is undefined are written anew.
void score_confusion(ClassEvaluation& out);

// Log-loss, Brier, calibration, AUC, average precision, costs and curves, as far as the answers
// hold numbers for them.
void add_number_measures(ClassEvaluation& out, const ClassAnswers& answers,
                         const ClassOptions& options, const Context& context);

// Rows by how much they look like class k. Two classes of scores are ranked by the difference.
Ranking rank_class(const ClassAnswers& answers, std::size_t k, const Context& context);

// `{roc: {class: {fpr, tpr, threshold}}, precision_recall: …, gain: …}`; for two classes only the
// positive one.
Value class_curves(const ClassEvaluation& out, const ClassAnswers& answers,
                   const ClassOptions& options, const Context& context);

// Mean cost per row of the predictions; with probabilities also of the decisions of least expected
// cost, and for two classes the threshold that would have been cheapest.
Value cost_measures(const ClassEvaluation& out, const ClassAnswers& answers,
                    const ClassOptions& options, const Context& context);

}  // namespace gradus
