#include "gradus/models/meta/one_vs_rest/model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/blocks/shap/shap_words.hpp"
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

namespace {

// How the scores of a question's model make the score of its class: what it adds up for the class,
// or by how much this leads what it adds up for the others.
std::vector<ScoreUse> uses_of(const OneVsRestModel& model, std::size_t problem) {
  const CoreModel& core = model.questions.models[problem]->core();
  const std::size_t last = core.contribution_scores() - 1;
  const bool two = model.questions.classes == 2;
  const std::size_t to = two ? 1 : problem;
  std::vector<ScoreUse> uses{{last, to, 1}};
  if (last > 0 && !core.contributes_answers()) uses.push_back({0, to, -1});
  if (!two) return uses;
  // The first of two classes has what the second leaves it.
  for (std::size_t i = uses.size(); i-- > 0;) uses.push_back({uses[i].from, 0, -uses[i].times});
  return uses;
}

// Whether the two answers of a question's model add up to 1.
bool gives_shares(const OneVsRestModel& model, std::size_t problem) {
  const auto& one = model.questions.models[problem];
  return !one || one->core().contributes_answers();
}

template <class Share>
void add_questions(const OneVsRestModel& model, const PlayedRows& rows, const MeanPlace& place,
                   const Share& share, double* out) {
  for (std::size_t p = 0; p < model.questions.problems(); ++p) {
    const std::size_t to = place.scores == 2 ? 1 : p;
    if (model.questions.models[p]) {
      share(MemberShare({&*model.questions.models[p], {}, {}}, uses_of(model, p)));
    } else {
      const double settled = model.questions.only[p] > 0 ? 1 : 0;
      add_to_means(rows, place, {0, to, settled}, out);
      if (place.scores == 2) add_to_means(rows, place, {0, 0, -settled}, out);
    }
    if (place.scores == 2 && gives_shares(model, p)) add_to_means(rows, place, {0, 0, 1}, out);
  }
}

}  // namespace

std::string OneVsRestModel::no_contributions() const {
  if (questions.problems() == 0) return "there is one class, and no question";
  for (const auto& model : questions.models) {
    if (model && model->core().contribution_scores() == 0) return why_not_split_up(*model);
  }
  return {};
}

std::size_t OneVsRestModel::contribution_scores() const {
  return no_contributions().empty() ? static_cast<std::size_t>(questions.classes) : 0;
}

void OneVsRestModel::contributions(const PlayedRows& rows, double* out) const {
  const MeanPlace place{static_cast<std::size_t>(questions.classes), rows.players() + 1};
  std::fill_n(out, rows.rows() * place.scores * place.numbers, 0.0);
  const auto share = [&](const MemberShare& one) {
    one.add_contributions(rows, place.scores, out);
  };
  add_questions(*this, rows, place, share, out);
}

void OneVsRestModel::interactions(const PlayedRows& rows, double* out) const {
  const std::size_t side = rows.players() + 1;
  const MeanPlace place{static_cast<std::size_t>(questions.classes), side * side};
  std::fill_n(out, rows.rows() * place.scores * place.numbers, 0.0);
  const auto share = [&](const MemberShare& one) { one.add_interactions(rows, place.scores, out); };
  add_questions(*this, rows, place, share, out);
}

SplitWork OneVsRestModel::contribution_work() const {
  SplitWork out;
  for (const auto& model : questions.models) {
    if (model) out += model->core().contribution_work();
  }
  return out;
}

bool OneVsRestModel::contributes_answers() const {
  return questions.classes == 2 && contribution_scores() > 0 && gives_shares(*this, 0);
}

void OneVsRestModel::explain(std::span<const double> row, const Signature& signature,
                             Trace& trace) const {
  const std::vector<double> answers = questions.explain_answers(row, signature, trace);
  std::vector<double> numbers(signature.classes.size());
  decode(questions, answers, numbers);
  if (contribution_scores() > 0) {
    ShapTold told;
    for (const std::string& name : signature.classes) {
      told.scores.push_back(contributes_answers() ? name : fmt::format("score({})", name));
    }
    tell_contributions(split_answer(*this, {row.data(), 1, row.size()}), signature, told, trace);
  }
  trace.add(verdict(signature, numbers, questions.probabilities ? "P" : "margin"));
}

}  // namespace gradus
