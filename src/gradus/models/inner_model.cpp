#include "gradus/models/inner_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::bad_data, "model", why); }

// Rows that are packed and answered at a time have about this many cells.
constexpr std::size_t kBlockCells = std::size_t{1} << 18;

const Entry& entry_named(const std::string& name) {
  for (const Entry* entry : catalogue()) {
    if (entry->info.name == name) return *entry;
  }
  throw Error(ErrorKind::bad_data, "model", "unknown learner " + in_quotes(name),
              "the model needs a newer version of Gradus");
}

}  // namespace

Value InnerModel::store(const std::string& path, Archive& archive) const {
  return object({{"learner", entry_->info.name}, {"model", core_->store(path, archive)}});
}

InnerModel InnerModel::restore(const Value& tree, const std::string& path, ArchiveReader& reader) {
  const Value::Object& parts = tree.as_object();
  if (parts.size() != 2 || parts[0].first != "learner" || parts[1].first != "model") {
    refuse(fmt::format("{}: expected a learner and its model", path));
  }
  const Entry& entry = entry_named(parts[0].second.as_string());
  return InnerModel(entry, entry.restore(parts[1].second, path, reader));
}

InnerModel fit_inner(const AnyLearner& learner, const TrainTask& task, const Context& context,
                     const std::string& whose) {
  const Entry& entry = learner.entry();
  try {
    learner.check_values();
    entry.check(learner.address(), task);
    return InnerModel(entry, entry.fit(learner.address(), task, context));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted || error.kind() == ErrorKind::internal) throw;
    const bool limit = error.kind() == ErrorKind::limit;
    throw Error(error.kind(), error.where(),
                fmt::format("{} ({}): {}", whose, entry.info.name, error.message()),
                limit
                    ? "raise --memory, or use fewer --threads: fits that run side by side share it"
                    : error.hint());
  }
}

std::vector<std::int32_t> said_classes(const InnerModel& model, const Features& features,
                                       std::size_t classes, const Context& context) {
  const CoreModel& core = model.core();
  const bool sparse = features.sparse() != nullptr && core.predicts_sparse();
  const std::size_t length = std::clamp<std::size_t>(
      kBlockCells / std::max<std::size_t>(1, features.cols()), 1, std::size_t{512});
  std::vector<std::int32_t> said(features.rows());
  parallel::for_each_block(context, said.size(), length, [&](parallel::Block block) {
    std::vector<double> scratch;
    std::vector<double> answers(block.size() * classes);
    if (sparse) {
      core.predict(SparseRows{*features.sparse(), block.begin, block.end}, answers.data());
    } else {
      core.predict(features.block(block.begin, block.end, scratch), answers.data());
    }
    for (std::size_t i = 0; i < block.size(); ++i) {
      const double* answer = answers.data() + i * classes;
      said[block.begin + i] =
          static_cast<std::int32_t>(std::max_element(answer, answer + classes) - answer);
    }
  });
  return said;
}

}  // namespace gradus
