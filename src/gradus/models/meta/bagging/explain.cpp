#include "gradus/models/meta/bagging/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/blocks/shap/shap_words.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/meta/bagging/majority.hpp"
#include "gradus/models/meta/inner_task.hpp"
#include "gradus/trace/nested.hpp"

namespace gradus {
namespace {

// Draws of more rows than this are not listed.
constexpr std::size_t kMostRows = 50;

std::string path_of(std::size_t m) { return fmt::format("member {}", m + 1); }

Value by_class(const Signature& signature, std::span<const double> numbers) {
  Value out = object();
  for (std::size_t k = 0; k < numbers.size(); ++k) out[signature.classes[k]] = numbers[k];
  return out;
}

std::size_t top_of(std::span<const double> numbers) {
  return static_cast<std::size_t>(std::max_element(numbers.begin(), numbers.end()) -
                                  numbers.begin());
}

// The answer of a model to one row, in words.
std::string answer_words(const Signature& signature, std::span<const double> answer) {
  if (signature.task != Task::classify) return readable(answer[0]);
  return signature.classes[top_of(answer)];
}

}  // namespace

void BaggingStory::draw(std::size_t m, std::span<const std::uint32_t> times) const {
  std::vector<std::size_t> drawn;
  std::vector<std::size_t> left_out;
  for (std::size_t row = 0; row < times.size(); ++row) {
    if (times[row] == 0) left_out.push_back(row + 1);
    drawn.insert(drawn.end(), times[row], row + 1);
  }
  const double share = static_cast<double>(left_out.size()) / static_cast<double>(times.size());
  Step step{.title = fmt::format("Draw the rows of member {}", m + 1), .path = path_of(m)};
  step.values = object({{"rows_drawn", drawn.size()},
                        {"rows_left_out", left_out.size()},
                        {"share_left_out", share}});
  if (times.size() <= kMostRows) {
    step.values["drawn"] = Value(drawn);
    step.values["left_out"] = Value(left_out);
  }
  const BaggingMember& member = model_.members[m];
  if (!member.columns.empty()) {
    std::vector<std::string> names;
    for (const std::int32_t j : member.columns) {
      names.push_back(signature_.features[static_cast<std::size_t>(j)].name);
    }
    step.values["columns"] = Value(names);
  }
  step.formula =
      fmt::format("left out: {}/{} = {}", left_out.size(), times.size(), readable(share, 4));
  step.text = member.model ? fmt::format("{} is fitted to this draw.",
                                         std::string(member.model->entry().info.name))
                           : "The draw has one class only, which is the member's answer.";
  trace_.add(std::move(step));
}

void BaggingStory::vote(double member_error, double ensemble_error) const {
  const std::size_t members = model_.members.size();
  const double independent = majority_error(members, member_error);
  Step step{.title = "What the vote is worth", .path = "vote"};
  step.values = object({{"members", members},
                        {"member_error", member_error},
                        {"independent_error", independent},
                        {"ensemble_error", ensemble_error}});
  step.formula = fmt::format("Σ_{{i > {}/2}} C({}, i) · {}^i · {}^({} - i) = {}", members, members,
                             readable(member_error, 4), readable(1 - member_error, 4), members,
                             readable(independent, 4));
  step.text = fmt::format(
      "A member is wrong on {} of the rows that taught. If the members erred independently of each "
      "other, their majority would be wrong on {}; together they are wrong on {}.",
      readable(member_error, 4), readable(independent, 4), readable(ensemble_error, 4));
  trace_.add(std::move(step));
}

void BaggingStory::finish() const {
  Step step{.title = "The ensemble", .path = "ensemble"};
  step.values = model_.fitted(signature_);
  step.formula = model_.classify && !model_.soft
                     ? "answer(x) = the share of the members that vote for each class"
                     : "answer(x) = mean of the answers of all members";
  step.text = fmt::format("{} vote.", counted(model_.members.size(), "member"));
  if (model_.oob_error) {
    step.text +=
        fmt::format(" On the rows that they did not draw, {} is {}.",
                    model_.classify ? "the share of wrong classes" : "the mean squared error",
                    readable(*model_.oob_error));
  }
  trace_.add(std::move(step));
}

void BaggingModel::explain(std::span<const double> row, const Signature& signature,
                           Trace& trace) const {
  const auto all = static_cast<std::size_t>(width);
  const RowBlock block{row.data(), 1, row.size()};
  std::vector<double> sums(all, 0.0);
  std::vector<double> votes(all, 0.0);
  for (std::size_t m = 0; m < members.size(); ++m) {
    std::vector<double> own(all, 0.0);
    add_votes(m, block, own.data());
    for (std::size_t k = 0; k < all; ++k) sums[k] += own[k];
    votes[top_of(own)] += 1;
    if (m >= kToldMembers || !trace.wants_more()) continue;
    const BaggingMember& member = members[m];
    if (m < kToldFits && member.model && member.model->entry().info.gives.has(Give::explains_row)) {
      std::vector<double> cells;
      for (const std::int32_t j : member.columns) cells.push_back(row[static_cast<std::size_t>(j)]);
      std::vector<std::string> names;
      for (const std::int32_t c : member.classes) {
        names.push_back(signature.classes[static_cast<std::size_t>(c)]);
      }
      Recorder inner;
      member.model->core().explain(member.columns.empty() ? row : std::span<const double>(cells),
                                   inner_signature(signature, member.columns, names), inner);
      replay(inner, trace, path_of(m));
    }
    const std::string answer = answer_words(signature, own);
    Step step{.title = fmt::format("Member {} says {}", m + 1, answer), .path = path_of(m)};
    step.values = object({{"answer", answer}});
    if (classify) step.values["votes"] = by_class(signature, own);
    step.text = fmt::format("This counts 1/{} of the vote.", members.size());
    trace.add(std::move(step));
  }
  for (double& x : sums) x /= static_cast<double>(members.size());
  if (contribution_scores() > 0) {
    tell_contributions(split_answer(*this, block), signature,
                       {.scores = classify ? signature.classes : signature.outputs}, trace);
  }
  Step step{.title = "The vote", .path = "answer"};
  if (classify) {
    step.values = object({{"votes", by_class(signature, votes)},
                          {"probabilities", by_class(signature, sums)},
                          {"prediction", signature.classes[top_of(sums)]}});
    std::vector<std::string> shares;
    for (std::size_t k = 0; k < all; ++k) {
      shares.push_back(fmt::format("P({}) = {}", signature.classes[k], readable(sums[k])));
    }
    step.formula = join(shares, ", ");
    step.text = fmt::format("{} of {} members vote for {}.", readable(votes[top_of(sums)]),
                            members.size(), signature.classes[top_of(sums)]);
  } else {
    step.values = object({{"prediction", sums[0]}});
    step.text =
        fmt::format("The mean of {} is {}.", counted(members.size(), "member"), readable(sums[0]));
  }
  trace.add(std::move(step));
}

}  // namespace gradus
