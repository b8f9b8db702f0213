// Fitting the questions side by side, and telling them.
#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"
#include "gradus/models/meta/dichotomies.hpp"
#include "gradus/models/meta/inner_task.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/trace/nested.hpp"

namespace gradus {
namespace {

// What still fits on a page: questions told, and those whose own fit is told too.
constexpr std::size_t kToldProblems = 60;
constexpr std::size_t kToldFits = 3;

std::string path_of(std::size_t problem) { return fmt::format("problem {}", problem + 1); }

class Fitter {
 public:
  Fitter(const AnyLearner& base, const CodeMatrix& code, const TrainTask& task,
         const Context& context)
      : base_(base), task_(task), context_(context), class_weights_(code.classes(), 0.0) {
    out_.classes = static_cast<std::int32_t>(code.classes());
    out_.probabilities = base.info().gives.has(Give::probabilities);
    out_.code = code.sides();
    out_.only.assign(code.problems(), 0);
    out_.models.resize(code.problems());
    for (std::size_t row = 0; row < task.rows(); ++row) {
      class_weights_[static_cast<std::size_t>(task.classes[row])] += task.weight(row);
    }
  }

  Dichotomies run() {
    const std::size_t count = out_.problems();
    InnerTraces traces(context_, std::min(count, kToldFits));
    traces.share_memory(count);
    context_.report("fit", 0, count);
    parallel::for_each_index(context_, count, [&](std::size_t p) { fit(p, traces.context(p)); });
    context_.report("fit", count, count);
    if (context_.trace != nullptr) {
      for (std::size_t p = 0; p < std::min(count, kToldProblems); ++p) {
        tell(p);
        traces.replay(p, path_of(p));
      }
    }
    return std::move(out_);
  }

 private:
  double weight_of(std::size_t problem, std::int32_t side) const {
    double sum = 0;
    for (std::size_t c = 0; c < class_weights_.size(); ++c) {
      if (out_.side(problem, c) == side) sum += class_weights_[c];
    }
    return sum;
  }

  void fit(std::size_t problem, const Context& context) {
    const bool no = weight_of(problem, -1) > 0;
    const bool yes = weight_of(problem, 1) > 0;
    if (!no || !yes) {
      out_.only[problem] = (yes ? 1 : 0) - (no ? 1 : 0);
      return;
    }
    InnerChoice choice;
    for (std::size_t c = 0; c < class_weights_.size(); ++c) {
      choice.codes.push_back(out_.side(problem, c) > 0 ? 1 : 0);
    }
    for (std::size_t row = 0; row < task_.rows(); ++row) {
      const auto c = static_cast<std::size_t>(task_.classes[row]);
      if (out_.side(problem, c) != 0) choice.rows.push_back(static_cast<std::uint32_t>(row));
    }
    choice.class_names = out_.side_names(problem, task_.signature);
    const InnerTask inner = inner_task(task_, choice, context);
    out_.models[problem] = fit_inner(base_, inner.task(), inner.beside(context), path_of(problem));
  }

  void tell(std::size_t problem) const {
    if (!context_.trace->wants_more()) return;
    const std::vector<std::string> names = out_.side_names(problem, task_.signature);
    Step step{.title = fmt::format("{} against {}", names[1], names[0]), .path = path_of(problem)};
    const double yes = weight_of(problem, 1);
    const double no = weight_of(problem, -1);
    step.values = object({{"positive", names[1]},
                          {"negative", names[0]},
                          {"weight_positive", yes},
                          {"weight_negative", no},
                          {"sides", object()}});
    for (std::size_t c = 0; c < class_weights_.size(); ++c) {
      step.values["sides"][task_.signature.classes[c]] = out_.side(problem, c);
    }
    step.formula = fmt::format("{} : {} rows", readable(yes), readable(no));
    step.text = out_.models[problem]
                    ? fmt::format("{} learns to tell the two sides apart.", base_.info().name)
                    : "One side has no rows: there is nothing to learn, and the answer is settled.";
    context_.trace->add(std::move(step));
  }

  const AnyLearner& base_;
  const TrainTask& task_;
  const Context& context_;
  std::vector<double> class_weights_;
  Dichotomies out_;
};

}  // namespace

Dichotomies fit_dichotomies(const AnyLearner& base, const CodeMatrix& code, const TrainTask& task,
                            const Context& context) {
  return Fitter(base, code, task, context).run();
}

std::vector<double> Dichotomies::explain_answers(std::span<const double> row,
                                                 const Signature& signature, Trace& trace) const {
  std::vector<double> said(problems());
  answers(RowBlock{row.data(), 1, row.size()}, said.data());
  for (std::size_t p = 0; p < std::min(problems(), kToldProblems); ++p) {
    if (!trace.wants_more()) break;
    const std::vector<std::string> names = side_names(p, signature);
    if (p < kToldFits && models[p] && models[p]->entry().info.gives.has(Give::explains_row)) {
      Recorder inner;
      models[p]->core().explain(row, inner_signature(signature, {}, names), inner);
      replay(inner, trace, path_of(p));
    }
    const std::string& answer = names[positive(said[p]) ? 1 : 0];
    Step step{.title = fmt::format("{} against {}: {}", names[1], names[0], answer),
              .path = path_of(p)};
    step.values = object({{probabilities ? "probability" : "margin", said[p]},
                          {"answer", answer},
                          {"side", positive(said[p]) ? 1 : -1}});
    step.formula = probabilities ? fmt::format("P({}) = {}", names[1], readable(said[p]))
                                 : fmt::format("margin of {} = {}", names[1], readable(said[p]));
    trace.add(std::move(step));
  }
  return said;
}

Value by_class(const Signature& signature, std::span<const double> numbers) {
  Value out = object();
  for (std::size_t c = 0; c < numbers.size(); ++c) out[signature.classes[c]] = numbers[c];
  return out;
}

Step verdict(const Signature& signature, std::span<const double> numbers, const std::string& what) {
  Step step{.title = "The class", .path = "answer"};
  const std::string& best = signature.classes[winner(numbers)];
  step.values = object({{what, by_class(signature, numbers)}, {"prediction", best}});
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    parts.push_back(fmt::format("{}({}) = {}", what, signature.classes[c], readable(numbers[c])));
  }
  step.formula = join(parts, ", ");
  step.text = fmt::format("{} has the most.", best);
  return step;
}

}  // namespace gradus
