#include "gradus/models/meta/one_vs_one/model.hpp"

#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/meta/inner_task.hpp"

namespace gradus {

template const Entry& entry<OneVsOne>();

namespace {

Decode decoder(const Dichotomies& questions) {
  return [&questions](std::span<const double> answers, std::span<double> out) {
    count_votes(questions, answers, out);
  };
}

}  // namespace

Info OneVsOne::effective_info() const { return info_over(info, estimator.learner().info()); }

OneVsOneModel OneVsOne::fit(const TrainTask& task, const Context& context) const {
  const std::size_t classes = task.signature.classes.size();
  CodeMatrix code(classes);
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = a + 1; b < classes; ++b) {
      std::vector<std::int32_t> sides(classes, 0);
      sides[a] = -1;
      sides[b] = 1;
      code.add(sides);
    }
  }
  OneVsOneModel model{fit_dichotomies(estimator.learner(), code, task, context)};
  if (context.trace != nullptr) {
    Step step{.title = "The vote", .path = "answer"};
    step.values = model.fitted(task.signature);
    step.formula = std::to_string(classes) + " · (" + std::to_string(classes) +
                   " − 1) / 2 = " + std::to_string(model.questions.problems()) + " pairs";
    step.text = "Each pair gives one vote; equal votes are settled by the sum of confidences.";
    context.trace->add(std::move(step));
  }
  return model;
}

void OneVsOneModel::predict(const RowBlock& rows, double* out) const {
  decode_rows(questions, rows, decoder(questions), out);
}

void OneVsOneModel::predict(const SparseRows& rows, double* out) const {
  decode_rows(questions, rows, decoder(questions), out);
}

Value OneVsOneModel::fitted(const Signature& /*signature*/) const {
  Value out = object({{"problems", questions.problems()}});
  if (const std::string name = questions.estimator(); !name.empty()) out["estimator"] = name;
  return out;
}

void OneVsOneModel::check(const Signature& signature) const {
  questions.check(signature);
  const std::size_t classes = signature.classes.size();
  if (questions.problems() != classes * (classes - 1) / 2) {
    throw Error(ErrorKind::bad_data, "model", "there is not one question for each pair of classes");
  }
}

void OneVsOneModel::explain(std::span<const double> row, const Signature& signature,
                            Trace& trace) const {
  const std::vector<double> answers = questions.explain_answers(row, signature, trace);
  std::vector<double> votes(signature.classes.size());
  count_votes(questions, answers, votes);
  trace.add(verdict(signature, votes, "votes"));
}

}  // namespace gradus
