#include "gradus/api/fit_in_parts.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>
#include <vector>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

void require_incremental(const AnyLearner& learner) {
  if (learner.info().gives.has(Give::incremental)) return;
  std::vector<std::string> able;
  for (const Entry* entry : catalogue()) {
    if (entry->info.gives.has(Give::incremental)) able.emplace_back(entry->info.name);
  }
  throw Error(ErrorKind::usage, "--in-parts",
              fmt::format("{} cannot learn in parts", learner.info().name),
              "those that can: " + join(able, ", "));
}

AnyLearner passing_once(AnyLearner learner) {
  for (const std::string_view name : learner.entry().extends) learner.set(name, 1);
  return learner;
}

// Settles what is true of the whole source: the classes, and the categories of all columns.
class Opening {
 public:
  Opening(const AnyLearner& learner, TableParts& parts, const FitOptions& options)
      : learner_(learner), parts_(parts), options_(options) {}

  // The options of every part.
  FitOptions settle(const Dataset& first) {
    FitOptions settled = options_;
    settled.timing = nullptr;
    const bool open_classes = options_.classes.empty() && classifies(first);
    if (open_classes && !parts_.can_rewind()) refuse_open_classes();
    if (!parts_.can_rewind() || !(open_classes || parts_.has_open_levels())) return settled;
    Levels found = parts_.settle_levels(open_classes ? options_.target.front() : "");
    if (open_classes) settled.classes = std::move(found);
    begins_anew_ = true;
    return settled;
  }
  // Whether the parts stand before the first one again.
  bool begins_anew() const { return begins_anew_; }

 private:
  bool classifies(const Dataset& first) const {
    const TargetChoice choice{options_.target, options_.classes, options_.task};
    return read_target(learner_.info(), first, choice).task == Task::classify;
  }

  [[noreturn]] static void refuse_open_classes() {
    throw Error(ErrorKind::usage, "--classes",
                "the classes must be known before the first part, and this source can be read "
                "only once",
                "name them, for example --classes no,yes, or learn from a file");
  }

  const AnyLearner& learner_;
  TableParts& parts_;
  const FitOptions& options_;
  bool begins_anew_ = false;
};

class Work {
 public:
  Work(const AnyLearner& learner, TableParts& parts, const Context& context)
      : learner_(passing_once(learner)), parts_(parts), context_(context) {}

  std::optional<Dataset> read() {
    const auto start = Clock::now();
    std::optional<Dataset> part = parts_.next();
    read_seconds_ += seconds_since(start);
    return part;
  }

  // The time of a look at the whole source is that of reading.
  FitOptions open(Opening& opening, const Dataset& first) {
    const auto start = Clock::now();
    FitOptions settled = opening.settle(first);
    read_seconds_ += seconds_since(start);
    return settled;
  }

  // Learns from a part while the next one is read: many learners work in one thread at this.
  std::optional<Dataset> learn_and_read(const Dataset& part, const FitOptions& options) {
    const std::size_t before = parts_.rows_before();
    std::optional<Dataset> next;
    parallel::for_each_index(context_, 2, [&](std::size_t which) {
      if (which == 0) learn(part, before, options);
      if (which == 1) next = read();
    });
    return next;
  }

  PartsFit done(Dataset last, std::size_t parts) {
    return {std::move(*model_), std::move(last), rows_, parts, read_seconds_, fit_seconds_};
  }

 private:
  void learn(const Dataset& part, std::size_t rows_before, const FitOptions& options) {
    const auto start = Clock::now();
    try {
      model_ = model_ ? update(*model_, part, options, context_)
                      : fit(learner_, part, options, context_);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted || rows_before == 0) throw;
      throw Error(error.kind(), error.where(),
                  fmt::format("{} (rows are counted from row {} of the source)", error.message(),
                              rows_before + 1),
                  error.hint());
    }
    fit_seconds_ += seconds_since(start);
    rows_ = rows_before + part.rows();
    context_.report("rows", rows_, 0);
  }

  AnyLearner learner_;
  TableParts& parts_;
  const Context& context_;
  std::optional<AnyModel> model_;
  std::size_t rows_ = 0;
  double read_seconds_ = 0;
  double fit_seconds_ = 0;
};

}  // namespace

PartsFit fit_in_parts(const AnyLearner& learner, TableParts& parts, const FitOptions& options,
                      const PartsOptions& how, const Context& context) {
  require_incremental(learner);
  if (how.passes > 1 && !parts.can_rewind()) {
    throw Error(ErrorKind::usage, "--passes", "this source can be read only once (got more passes)",
                "save it to a file first");
  }
  Work work(learner, parts, context);
  std::optional<Dataset> part = work.read();
  if (!part) throw Error(ErrorKind::bad_data, "", "there are no rows to learn from");
  Opening opening(learner, parts, options);
  const FitOptions settled = work.open(opening, *part);
  if (opening.begins_anew()) part = work.read();
  Dataset last;
  std::size_t count = 0;
  for (std::size_t pass = 1; pass <= how.passes; ++pass) {
    if (pass > 1) {
      parts.rewind();
      part = work.read();
    }
    for (count = 0; part; ++count) {
      last = std::move(*part);
      part = work.learn_and_read(last, settled);
    }
  }
  return work.done(std::move(last), count);
}

}  // namespace gradus
