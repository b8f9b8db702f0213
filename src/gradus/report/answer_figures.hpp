// What a model answers over the space of its columns, where that space can be drawn: the fitted
// curve of a number over one numeric column, and the border of classes over two.
//
// The pictures are made from answers alone, so every learner has them and none knows of them.
#pragma once

#include <vector>

#include "gradus/api/any_model.hpp"
#include "gradus/report/document.hpp"

namespace gradus::report {

// `data` are the rows to draw beside the answers, with the target. Nothing when the model reads
// other columns than one or two numeric ones.
std::vector<Block> answer_figures(const AnyModel& model, const Dataset& data);

}  // namespace gradus::report
