#include "gradus/models/boosting/boost_by_filtering/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/text.hpp"
#include "gradus/models/meta/inner_task.hpp"
#include "gradus/trace/nested.hpp"

namespace gradus {
namespace {

// Lists of more rows than this are not shown.
constexpr std::size_t kMostRows = 50;

// Rows counted from 1.
Value numbered(std::span<const std::uint32_t> rows) {
  std::vector<std::size_t> out;
  for (const std::uint32_t row : rows) out.push_back(std::size_t{row} + 1);
  return Value(out);
}

void list(Step& step, const std::string& name, std::span<const std::uint32_t> rows) {
  step.values[name + "_count"] = rows.size();
  if (rows.size() <= kMostRows) step.values[name] = numbered(rows);
}

}  // namespace

void FilteringStory::parts(const std::vector<std::vector<std::uint32_t>>& parts) const {
  Step step{.title = "Deal the rows into three parts", .path = "parts"};
  std::vector<std::string> sizes;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    list(step, fmt::format("X{}", part + 1), parts[part]);
    sizes.push_back(fmt::format("|X{}| = {}", part + 1, parts[part].size()));
  }
  step.formula = join(sizes, ", ");
  step.text = "The first learner learns X1. X2 and X3 are filtered for the two after it.";
  trace_.add(std::move(step));
}

void FilteringStory::mistakes(std::size_t rows, std::span<const std::uint32_t> wrong,
                              std::span<const std::uint32_t> right) const {
  Step step{.title = "Filter X2 by the first learner", .path = "filter 1"};
  list(step, "wrong", wrong);
  list(step, "right", right);
  step.values["first_error"] = model_.first_error;
  step.formula = fmt::format("wrong {} of {}, error ε1 = {}", wrong.size(), rows,
                             readable(model_.first_error));
  step.text = wrong.empty() ? "It makes no mistake there: it decides alone."
                            : fmt::format(
                                  "Its {} and {} of its right answers are what the second learner "
                                  "learns from: there, the first is a coin.",
                                  counted(wrong.size(), "mistake"), right.size());
  trace_.add(std::move(step));
}

void FilteringStory::disagreements(std::size_t rows, std::span<const std::uint32_t> open) const {
  Step step{.title = "Filter X3 by the first two learners", .path = "filter 2"};
  list(step, "disagree", open);
  step.values["disagreement"] = model_.disagreement;
  step.formula = fmt::format("they disagree on {} of {}", open.size(), rows);
  step.text = open.empty() ? "They agree on every row: there is nothing for a third to learn, and "
                             "the first decides should they ever disagree."
                           : "These rows are what the third learner learns from.";
  trace_.add(std::move(step));
}

void FilteringStory::third() const {
  Step step{.title = "The third learner settles the rest", .path = "learner 3"};
  step.values = object({{"rows", model_.members.back().rows}});
  step.text = fmt::format("It is asked only where the first two disagree, and learned from {}.",
                          counted(static_cast<std::size_t>(model_.members.back().rows), "row"));
  trace_.add(std::move(step));
}

void FilteringStory::finish() const {
  Step step{.title = "The committee", .path = "committee"};
  step.values = model_.fitted(signature_);
  step.text =
      fmt::format("{} decide; the share of wrong training rows is {}.",
                  counted(model_.members.size(), "learner"), readable(model_.training_error));
  const double e = model_.first_error;
  if (model_.members.size() == 3 && e < 0.5) {
    const double together = 3 * e * e - 2 * e * e * e;
    step.values["if_all_err_so"] = together;
    step.formula = fmt::format("3 ε1² − 2 ε1³ = {}", readable(together));
    step.text += fmt::format(
        " If each of the three erred on {} of what it is asked, together they "
        "would on {}.",
        readable(e), readable(together));
  }
  trace_.add(std::move(step));
}

void BoostByFilteringModel::explain(std::span<const double> row, const Signature& signature,
                                    Trace& trace) const {
  std::vector<std::int32_t> said;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const FilteringMember& member = members[m];
    const std::string path = fmt::format("learner {}", m + 1);
    std::vector<double> answer(member.classes.size(), 1.0);
    if (member.model) {
      member.model->core().predict(RowBlock{row.data(), 1, row.size()}, answer.data());
      if (member.model->entry().info.gives.has(Give::explains_row)) {
        Recorder inner;
        member.model->core().explain(
            row, inner_signature(signature, {}, class_names(member, signature)), inner);
        replay(inner, trace, path);
      }
    }
    const auto top = std::max_element(answer.begin(), answer.end()) - answer.begin();
    said.push_back(member.classes[static_cast<std::size_t>(top)]);
    const std::string& name = signature.classes[static_cast<std::size_t>(said.back())];
    Step step{.title = fmt::format("Learner {} says {}", m + 1, name), .path = path};
    step.values = object({{"answer", name}});
    trace.add(std::move(step));
  }
  const std::string& verdict = signature.classes[decide(said)];
  const bool agree = said.size() < 2 || said[0] == said[1];
  Step step{.title = "The verdict", .path = "answer"};
  step.values = object({{"prediction", verdict}, {"first_two_agree", agree}});
  if (said.size() < 2) {
    step.text = fmt::format("The only learner decides: {}.", verdict);
  } else if (agree) {
    step.text = fmt::format("The first two agree: {}.", verdict);
  } else {
    step.text = fmt::format("The first two disagree: the {} decides, {}.",
                            said.size() == 3 ? "third" : "first", verdict);
  }
  trace.add(std::move(step));
}

}  // namespace gradus
