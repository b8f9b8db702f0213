// Dividing the labels; the divisions are fitted by the shared engine.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/meta/inner_task.hpp"
#include "gradus/models/meta/label_partition/model.hpp"

namespace gradus {
namespace {

// What the random streams of one seed are for.
enum Purpose : std::uint32_t { kVotes = 1, kTrees = 2 };

// Draws without a new division after which there are no more.
constexpr int kPatience = 200;

// Sets of divisions drawn, of which the one that tells classes apart best is taken.
constexpr std::uint64_t kSets = 50;

using Labels = std::vector<std::size_t>;

// Random halves of the labels: +1 for the first, -1 for the second.
std::vector<std::int32_t> halves(Labels labels, std::size_t classes, Stream& stream) {
  stream.shuffle(std::span(labels));
  std::vector<std::int32_t> sides(classes, 0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    sides[labels[i]] = i < labels.size() / 2 ? 1 : -1;
  }
  return sides;
}

Labels all_labels(std::size_t classes) {
  Labels labels(classes);
  std::iota(labels.begin(), labels.end(), std::size_t{0});
  return labels;
}

// Whether the same two groups, in either order, are there already.
bool is_known(const CodeMatrix& code, const std::vector<std::int32_t>& sides) {
  for (std::size_t p = 0; p < code.problems(); ++p) {
    std::size_t same = 0;
    for (std::size_t c = 0; c < sides.size(); ++c) same += code.side(p, c) == sides[c] ? 1 : 0;
    if (same == 0 || same == sides.size()) return true;
  }
  return false;
}

// Different random halves, as many as wanted or as there are.
CodeMatrix random_halves(std::size_t classes, std::size_t wanted, Stream stream) {
  CodeMatrix code(classes);
  for (int failures = 0; code.problems() < wanted && failures < kPatience;) {
    const std::vector<std::int32_t> sides = halves(all_labels(classes), classes, stream);
    if (is_known(code, sides)) {
      ++failures;
      continue;
    }
    failures = 0;
    code.add(sides);
  }
  return code;
}

// Two classes that no division separates would always have equal votes.
CodeMatrix separating_halves(std::size_t classes, std::size_t wanted, Seed seed) {
  CodeMatrix best(classes);
  if (classes < 2) return best;
  for (std::uint64_t set = 0; set < kSets; ++set) {
    CodeMatrix other = random_halves(classes, wanted, Stream(seed, set, kVotes));
    if (set == 0 || other.least_distance() > best.least_distance()) best = std::move(other);
  }
  return best;
}

// Divides a group until single classes remain.
void divide(const Labels& labels, CodeMatrix& code, Stream& stream) {
  if (labels.size() < 2) return;
  const std::vector<std::int32_t> sides = halves(labels, code.classes(), stream);
  code.add(sides);
  for (const std::int32_t side : {1, -1}) {
    Labels group;
    for (const std::size_t c : labels) {
      if (sides[c] == side) group.push_back(c);
    }
    divide(group, code, stream);
  }
}

// The classes of the first group.
std::vector<std::int32_t> given_sides(const std::string& text,
                                      const std::vector<std::string>& classes) {
  constexpr const char* kWhere = "--partitions";
  std::vector<std::int32_t> sides(classes.size(), -1);
  for (const std::string& name : split_text(text, '|')) {
    const auto found = std::find(classes.begin(), classes.end(), name);
    if (found == classes.end()) {
      throw Error(ErrorKind::usage, kWhere,
                  fmt::format("partitions must name classes joined by | (got {})", in_quotes(name)),
                  did_you_mean(name, classes));
    }
    sides[static_cast<std::size_t>(found - classes.begin())] = 1;
  }
  if (std::count(sides.begin(), sides.end(), -1) == 0) {
    throw Error(ErrorKind::usage, kWhere,
                fmt::format("partitions must leave classes for the second group (got {})",
                            in_quotes(text)));
  }
  return sides;
}

CodeMatrix vote_code(const LabelPartition& learner, const std::vector<std::string>& classes) {
  if (learner.partitions.empty()) {
    return separating_halves(classes.size(), static_cast<std::size_t>(learner.n_estimators),
                             learner.random_state);
  }
  CodeMatrix code(classes.size());
  for (const std::string& text : learner.partitions) code.add(given_sides(text, classes));
  return code;
}

}  // namespace

Info LabelPartition::effective_info() const {
  Info out = info_over(info, estimator.learner().info());
  if (strategy == Strategy::nested) out.gives = out.gives | Give::probabilities;
  return out;
}

void LabelPartition::check(const TrainTask& task) const {
  if (strategy == Strategy::nested && !partitions.empty()) {
    throw Error(ErrorKind::usage, "--partitions", "partitions are for strategy=vote",
                "leave them out, or use --strategy vote");
  }
  for (const std::string& text : partitions) given_sides(text, task.signature.classes);
}

LabelPartitionModel LabelPartition::fit(const TrainTask& task, const Context& context) const {
  const std::size_t classes = task.signature.classes.size();
  LabelPartitionModel model;
  model.strategy = strategy;
  CodeMatrix code(classes);
  if (strategy == Strategy::vote) {
    code = vote_code(*this, task.signature.classes);
  } else {
    // Two classes can be divided in one way only.
    model.trees = classes <= 2 ? 1 : n_estimators;
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(model.trees); ++t) {
      Stream stream(random_state, static_cast<std::uint64_t>(t), kTrees);
      divide(all_labels(classes), code, stream);
      model.tree.resize(code.problems(), t);
    }
  }
  model.questions = fit_dichotomies(estimator.learner(), code, task, context);
  if (context.trace != nullptr) {
    Step step{.title = "The answer", .path = "answer"};
    step.values = model.fitted(task.signature);
    step.formula = strategy == Strategy::vote ? "votes(c) = number of chosen groups with c"
                                              : "P(c) = product over the divisions on its path";
    step.text = strategy == Strategy::vote
                    ? "The class with the most votes wins."
                    : fmt::format("The mean over {}.",
                                  counted(static_cast<std::size_t>(model.trees), "tree"));
    context.trace->add(std::move(step));
  }
  return model;
}

}  // namespace gradus
