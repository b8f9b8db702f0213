#include "gradus/models/meta/one_vs_rest/model.hpp"

#include <algorithm>

#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/meta/inner_task.hpp"

namespace gradus {

template const Entry& entry<OneVsRest>();

namespace {

// Answers to the numbers of the classes; one question is enough for two of them.
void decode(const Dichotomies& questions, std::span<const double> answers, std::span<double> out) {
  if (answers.empty()) {
    std::fill(out.begin(), out.end(), 1.0);
    return;
  }
  if (out.size() == 2) {
    out[0] = questions.probabilities ? 1 - answers[0] : 0;
    out[1] = answers[0];
    return;
  }
  std::copy(answers.begin(), answers.end(), out.begin());
  if (!questions.probabilities) return;
  double sum = 0;
  for (const double p : out) sum += p;
  const auto count = static_cast<double>(out.size());
  for (double& p : out) p = sum > 0 ? p / sum : 1 / count;
}

Decode decoder(const Dichotomies& questions) {
  return [&questions](std::span<const double> answers, std::span<double> out) {
    decode(questions, answers, out);
  };
}

}  // namespace

Info OneVsRest::effective_info() const {
  const Info base = estimator.learner().info();
  Info out = info_over(info, base);
  if (!base.gives.has(Give::probabilities)) out.gives = out.gives.without(Give::probabilities);
  return out;
}

OneVsRestModel OneVsRest::fit(const TrainTask& task, const Context& context) const {
  const std::size_t classes = task.signature.classes.size();
  CodeMatrix code(classes);
  // Two classes: "the second or the first?"; one class: nothing to ask.
  const std::size_t first = classes <= 2 ? 1 : 0;
  for (std::size_t c = first; c < classes; ++c) {
    std::vector<std::int32_t> sides(classes, -1);
    sides[c] = 1;
    code.add(sides);
  }
  OneVsRestModel model{fit_dichotomies(estimator.learner(), code, task, context)};
  if (context.trace != nullptr) {
    Step step{.title = "The answer", .path = "answer"};
    step.values = model.fitted(task.signature);
    step.formula = model.questions.probabilities ? "P(c | x) = p_c(x) / Σ p_k(x)"
                                                 : "class(x) = argmax margin_c(x)";
    step.text = "A row gets the class whose classifier is surest.";
    context.trace->add(std::move(step));
  }
  return model;
}

void OneVsRestModel::predict(const RowBlock& rows, double* out) const {
  decode_rows(questions, rows, decoder(questions), out);
}

void OneVsRestModel::predict(const SparseRows& rows, double* out) const {
  decode_rows(questions, rows, decoder(questions), out);
}

Value OneVsRestModel::fitted(const Signature& /*signature*/) const {
  Value out = object({{"problems", questions.problems()}});
  if (const std::string name = questions.estimator(); !name.empty()) out["estimator"] = name;
  return out;
}

void OneVsRestModel::check(const Signature& signature) const {
  questions.check(signature);
  const std::size_t classes = signature.classes.size();
  if (questions.problems() != (classes <= 2 ? classes - 1 : classes)) {
    throw Error(ErrorKind::bad_data, "model", "there is not one question for each class");
  }
}

void OneVsRestModel::explain(std::span<const double> row, const Signature& signature,
                             Trace& trace) const {
  const std::vector<double> answers = questions.explain_answers(row, signature, trace);
  std::vector<double> numbers(signature.classes.size());
  decode(questions, answers, numbers);
  trace.add(verdict(signature, numbers, questions.probabilities ? "P" : "margin"));
}

}  // namespace gradus
