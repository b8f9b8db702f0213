// A model to its stored form and back. The order of the keys is part of the format.
#include <fmt/format.h>

#include "gradus/api/any_model.hpp"
#include "gradus/core/archive_impl.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/catalogue.hpp"

namespace gradus {
namespace {

// The part of a signature that preparation does not already say.
struct StoredTarget {
  std::int32_t task = 0;
  std::vector<std::string> classes;
  std::vector<std::string> outputs;

  static constexpr auto describe() {
    using S = StoredTarget;
    return std::tuple{field(&S::task, 1, "task"), field(&S::classes, 2, "classes"),
                      field(&S::outputs, 3, "outputs")};
  }
};

AnyLearner learner_from(const Value& tree) {
  const std::string& name = tree.at("learner").as_string();
  for (const Entry* entry : catalogue()) {
    if (entry->info.name != name) continue;
    AnyLearner learner(*entry);
    for (const auto& [parameter, value] : tree.at("parameters").as_object()) {
      learner.set(parameter, value);
    }
    return learner;
  }
  throw Error(ErrorKind::bad_data, "model", "unknown learner " + in_quotes(name),
              "the model needs a newer version of Gradus");
}

Signature signature_from(const StoredTarget& target, const Preparation& preparation,
                         const Info& info) {
  if (target.task < 0 || target.task > 2 || !info.tasks.has(static_cast<Task>(target.task))) {
    throw Error(ErrorKind::bad_data, "model",
                fmt::format("{} has no task {}", info.name, target.task));
  }
  Signature signature;
  signature.task = static_cast<Task>(target.task);
  signature.classes = target.classes;
  signature.outputs = target.outputs;
  signature.features = preparation.feature_names();
  const bool empty = signature.width() == 0;
  if (empty) throw Error(ErrorKind::bad_data, "model", "the model has no output");
  return signature;
}

}  // namespace

Archive to_archive(const AnyModel& model) {
  Archive archive;
  Value& tree = archive.tree;
  tree["learner"] = model.info().name;
  Value& parameters = tree["parameters"] = object();
  for (const auto& [name, value] : model.learner().values()) parameters[name] = value;
  const StoredTarget target{static_cast<std::int32_t>(model.signature().task),
                            model.signature().classes, model.signature().outputs};
  tree["preparation"] = store(model.preparation(), "preparation", archive);
  tree["target"] = store(target, "target", archive);
  tree["model"] = model.core().store(archive);
  tree["provenance"] = store(model.provenance(), "provenance", archive);
  return archive;
}

AnyModel from_archive(const Archive& archive) {
  const Value& tree = archive.tree;
  AnyLearner learner = learner_from(tree);
  auto preparation = restore<Preparation>(tree.at("preparation"), "preparation", archive);
  preparation.check();
  const auto target = restore<StoredTarget>(tree.at("target"), "target", archive);
  Signature signature = signature_from(target, preparation, learner.info());
  CoreModelPtr core = learner.entry().restore(tree.at("model"), archive);
  core->check(signature);
  auto provenance = restore<Provenance>(tree.at("provenance"), "provenance", archive);
  return AnyModel({std::move(learner), std::move(preparation), std::move(signature),
                   std::move(provenance), std::move(core)});
}

}  // namespace gradus
