#include "gradus/models/meta/inner_task.hpp"

#include <algorithm>
#include <utility>

#include "gradus/blocks/rows/subset.hpp"
#include "gradus/core/error.hpp"
#include "gradus/trace/nested.hpp"

namespace gradus {
namespace {

// What a person still reads of one inner fit.
constexpr std::size_t kMostSteps = 200;

}  // namespace

Signature inner_signature(const Signature& outer, const std::vector<std::int32_t>& columns,
                          const std::vector<std::string>& class_names) {
  Signature inner;
  inner.task = outer.task;
  inner.features = subset(outer.features, columns);
  inner.classes = class_names.empty() ? outer.classes : class_names;
  inner.outputs = outer.outputs;
  return inner;
}

InnerTask inner_task(const TrainTask& outer, const InnerChoice& choice, const Context& context) {
  InnerTask out;
  const TableChoice chosen{choice.rows, choice.columns};
  out.copied = copied_bytes(outer.features, chosen);
  out.features = subset(outer.features, chosen, context);
  out.signature = inner_signature(outer.signature, choice.columns, choice.class_names);
  const std::size_t width = outer.signature.outputs.size();
  const bool classify = outer.signature.task == Task::classify;
  for (std::size_t i = 0; i < choice.rows.size(); ++i) {
    const std::size_t row = choice.rows[i];
    if (classify) {
      const std::int32_t code = outer.classes[row];
      out.classes.push_back(choice.codes.empty() ? code
                                                 : choice.codes[static_cast<std::size_t>(code)]);
    } else {
      const auto target = outer.numbers.subspan(row * width, width);
      out.numbers.insert(out.numbers.end(), target.begin(), target.end());
    }
    if (outer.weights.empty() && choice.times.empty()) continue;
    out.weights.push_back(outer.weight(row) * (choice.times.empty() ? 1.0 : choice.times[i]));
  }
  return out;
}

Context InnerTask::beside(const Context& context) const {
  Context out = context;
  // A limit of 0 would be none.
  if (out.memory_limit != 0) out.memory_limit -= std::min(out.memory_limit - 1, copied);
  return out;
}

std::vector<std::uint32_t> weighing_rows(const TrainTask& task) {
  std::vector<std::uint32_t> rows;
  rows.reserve(task.rows());
  for (std::size_t row = 0; row < task.rows(); ++row) {
    if (task.weight(row) > 0) rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

std::vector<std::int32_t> choose_classes(InnerChoice& choice, const TrainTask& outer) {
  std::vector<std::int32_t> present;
  choice.codes.assign(outer.signature.classes.size(), -1);
  for (const std::uint32_t row : choice.rows) {
    choice.codes[static_cast<std::size_t>(outer.classes[row])] = 0;
  }
  for (std::size_t c = 0; c < choice.codes.size(); ++c) {
    if (choice.codes[c] < 0) continue;
    choice.codes[c] = static_cast<std::int32_t>(present.size());
    present.push_back(static_cast<std::int32_t>(c));
    choice.class_names.push_back(outer.signature.classes[c]);
  }
  return present;
}

std::optional<Seed> seed_of(const AnyLearner& learner) {
  for (const auto& [name, value] : learner.values()) {
    if (find_param(learner.params(), name)->type != ParamType::seed) continue;
    // Seeds that no double holds exactly are written as text.
    return value.is_string() ? std::stoull(value.as_string())
                             : static_cast<Seed>(value.as_integer());
  }
  return std::nullopt;
}

AnyLearner with_seed(AnyLearner learner, Seed seed) {
  for (const ParamInfo& param : learner.params()) {
    if (param.type == ParamType::seed) learner.set(param.text.name, Value(seed));
  }
  return learner;
}

Info info_over(const Info& own, const Info& base) {
  Info out = own;
  out.tasks = own.tasks & base.tasks;
  // The rows that examine are those of the outer task: nobody cuts them for the inner ones.
  out.accepts = base.accepts.without(Accept::validation);
  out.encode = base.encode;
  if (base.gives.has(Give::same_answer)) out.gives = out.gives | Give::same_answer;
  return out;
}

InnerTraces::InnerTraces(const Context& outer, std::size_t told) : outer_(outer) {
  if (outer.trace == nullptr) return;
  for (std::size_t i = 0; i < told; ++i) recorders_.emplace_back(kMostSteps);
}

void InnerTraces::share_memory(std::size_t fits) {
  if (outer_.memory_limit == 0) return;
  const auto threads = static_cast<std::uint64_t>(resolve_threads(outer_));
  const std::uint64_t sharing = std::max<std::uint64_t>(1, std::min<std::uint64_t>(threads, fits));
  outer_.memory_limit = std::max<std::uint64_t>(1, outer_.memory_limit / sharing);
}

Context InnerTraces::context(std::size_t i) {
  Context inner = outer_.within_unit();
  inner.progress = nullptr;
  inner.trace = tells(i) ? &recorders_[i] : nullptr;
  return inner;
}

void InnerTraces::replay(std::size_t i, const std::string& path) const {
  if (tells(i)) gradus::replay(recorders_[i], *outer_.trace, path);
}

}  // namespace gradus
