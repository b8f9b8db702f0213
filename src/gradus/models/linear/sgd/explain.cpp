#include "gradus/models/linear/sgd/explain.hpp"

#include <fmt/format.h>

#include <utility>

#include "gradus/blocks/linear/words.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

class Explainer {
 public:
  Explainer(const Sgd& learner, const SgdModel& model, const TrainTask& task, const SgdStory& story,
            Trace& trace)
      : learner_(learner), model_(model), task_(task), story_(story), trace_(trace) {
    names_ = coefficient_names(learner.fit_intercept ? Intercept::present : Intercept::absent,
                               task.signature);
  }

  void run() {
    add_problem();
    for (std::size_t k = 0; k < model_.functions.count() && trace_.wants_more(); ++k) {
      for (const SgdTold& told : story_.steps[k]) add_step(k, told);
      for (std::size_t i = 0; i < story_.passes[k].size(); ++i) add_pass(k, i);
      add_function(k);
    }
  }

 private:
  std::string path(const std::string& word, std::size_t k) const {
    if (model_.functions.count() == 1) return word;
    return fmt::format("{}/{}", model_.functions.name(k, task_.signature), word);
  }

  void add_problem() {
    Step step{.title = "The problem", .path = "problem"};
    step.formula = fmt::format("w ← w - η (L'(z, y) x{})",
                               learner_.penalty == SgdPenalty::none ? "" : " + α P'(w)");
    step.values = object({{"alpha", learner_.alpha}, {"rows", task_.rows()}});
    step.text = fmt::format("The {} loss is lowered one row at a time.",
                            enum_names(model_.loss)[static_cast<std::size_t>(model_.loss)]);
    trace_.add(std::move(step));
  }

  std::vector<double> terms(double b, const std::vector<double>& w) const {
    std::vector<double> out;
    if (learner_.fit_intercept) out.push_back(b);
    out.insert(out.end(), w.begin(), w.end());
    return out;
  }

  void add_step(std::size_t k, const SgdTold& told) {
    Step step{.title = fmt::format("Step {}: row {}", told.step.number, told.step.row + 1),
              .path = path(fmt::format("step {}", told.step.number), k)};
    const std::vector<double> w = terms(told.b, told.w);
    step.values = object({{"row", told.step.row + 1},
                          {"rate", told.step.rate},
                          {"z", told.step.score},
                          {"loss", told.step.loss},
                          {"slope", told.step.slope}});
    step.values["w"] = by_name(names_, w);
    step.formula = fmt::format("z = {},  L = {},  L' = {},  η = {},  w = {}",
                               readable(told.step.score), readable(told.step.loss),
                               readable(told.step.slope), readable(told.step.rate), bracketed(w));
    step.text = told.step.slope == 0 ? "The row costs nothing: only the penalty moves w."
                                     : "w moves against the slope of the loss of this row.";
    trace_.add(std::move(step));
  }

  void add_pass(std::size_t k, std::size_t i) {
    const SgdPassTold& pass = story_.passes[k][i];
    Step step{.title = fmt::format("Pass {}", i + 1),
              .path = path(fmt::format("pass {}", i + 1), k)};
    step.values = object({{"loss", pass.loss}});
    step.formula = "mean loss = " + readable(pass.loss, 8);
    if (learner_.early_stopping) {
      step.values["validation_loss"] = pass.validation;
      step.formula +=
          task_.validation != nullptr ? ",  on the validation rows " : ",  on the rows set aside ";
      step.formula += readable(pass.validation, 8);
    }
    step.text = "The loss of each row as it was met, before it moved w.";
    trace_.add(std::move(step));
  }

  void add_function(std::size_t k) {
    const std::string& name = model_.functions.name(k, task_.signature);
    Step step{.title = "The function of " + name, .path = path("function", k)};
    step.formula = model_.functions.equation(k, task_.signature);
    step.values = object({{"passes", model_.n_iter[k]}, {"steps", model_.steps[k]}});
    step.text = learner_.average ? "It is the mean over all steps." : "It is the last one.";
    trace_.add(std::move(step));
  }

  const Sgd& learner_;
  const SgdModel& model_;
  const TrainTask& task_;
  const SgdStory& story_;
  Trace& trace_;
  std::vector<std::string> names_;
};

}  // namespace

void explain_fit(const Sgd& learner, const SgdModel& model, const TrainTask& task,
                 const SgdStory& story, Trace& trace) {
  Explainer(learner, model, task, story, trace).run();
}

}  // namespace gradus
