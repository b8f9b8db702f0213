// A model to its stored form and back. The order of the keys is part of the format.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <unordered_set>

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

  template <class S = StoredTarget>
  static constexpr auto describe() {
    return Members{field(&S::task, 1, "task"), field(&S::classes, 2, "classes"),
                   field(&S::outputs, 3, "outputs")};
  }
};

constexpr std::array<std::string_view, 6> kKeys = {"learner", "parameters", "preparation",
                                                   "target",  "model",      "provenance"};

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::bad_data, "model", why); }

void check_keys(const Value& tree) {
  const Value::Object& members = tree.as_object();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i >= kKeys.size() || members[i].first != kKeys[i]) {
      refuse(fmt::format("the part {} is not expected here", in_quotes(members[i].first)));
    }
  }
  if (members.size() < kKeys.size()) {
    refuse(fmt::format("the part {} is missing", in_quotes(kKeys[members.size()])));
  }
}

// A parameter whose name has changed keeps the old one as an alias.
bool is_called(const ParamInfo& info, std::string_view name) {
  if (name.empty()) return false;
  return info.text.name == name || std::find(info.text.aliases.begin(), info.text.aliases.end(),
                                             name) != info.text.aliases.end();
}

// Parameters stand under their own names in the order of the table. One that is absent did not
// exist when the model was saved and has its default.
void set_parameters(AnyLearner& learner, const Value& values) {
  const ParamTable& table = learner.params();
  std::vector<std::size_t> places;  // of the values in the table
  std::size_t position = 0;
  for (const auto& [name, value] : values.as_object()) {
    while (position < table.size() && !is_called(table[position], name)) ++position;
    if (position == table.size()) {
      refuse(fmt::format("{} has no parameter {} here", learner.info().name, in_quotes(name)));
    }
    learner.set(name, value);
    places.push_back(position++);
  }
  // One spelling for every value: `Mean` or a seed as text would load, and save as another file.
  const ParamValues written = learner.values();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [name, value] = values.as_object()[i];
    if (to_json(written[places[i]].second) != to_json(value)) {
      refuse(fmt::format("{} is not written as we write it", in_quotes(name)));
    }
  }
}

AnyLearner learner_from(const Value& tree) {
  const std::string& name = tree.at("learner").as_string();
  for (const Entry* entry : catalogue()) {
    if (entry->info.name != name) continue;
    AnyLearner learner(*entry);
    set_parameters(learner, tree.at("parameters"));
    return learner;
  }
  throw Error(ErrorKind::bad_data, "model", "unknown learner " + in_quotes(name),
              "the model needs a newer version of Gradus");
}

void check_target(const Signature& signature) {
  const bool classify = signature.task == Task::classify;
  if (signature.classes.empty() == classify) refuse("the classes do not fit the task");
  const bool many = signature.task == Task::regress && signature.outputs.size() > 1;
  if (signature.outputs.size() != 1 && !many) refuse("the outputs do not fit the task");
  const std::unordered_set<std::string> distinct(signature.classes.begin(),
                                                 signature.classes.end());
  if (distinct.size() != signature.classes.size()) refuse("two classes have the same name");
}

Signature signature_from(const StoredTarget& target, const Preparation& preparation,
                         const Info& info) {
  if (target.task < 0 || target.task > 2 || !info.tasks.has(static_cast<Task>(target.task))) {
    refuse(fmt::format("{} has no task {}", info.name, target.task));
  }
  Signature signature;
  signature.task = static_cast<Task>(target.task);
  signature.classes = target.classes;
  signature.outputs = target.outputs;
  signature.features = preparation.feature_names();
  check_target(signature);
  return signature;
}

void check_unfinished(const Unfinished& work) {
  const bool finished = work.unit.empty();
  if (finished && work.done == 0 && work.planned == 0) return;
  if (finished || work.done < 1 || work.planned < work.done) {
    refuse("a part of the work that cannot be");
  }
}

AnyModel restored(const Archive& archive) {
  const Value& tree = archive.tree;
  check_keys(tree);
  ArchiveReader reader(archive);
  AnyLearner learner = learner_from(tree);
  auto preparation = restore<Preparation>(tree.at("preparation"), "preparation", reader);
  preparation.check();
  const auto target = restore<StoredTarget>(tree.at("target"), "target", reader);
  Signature signature = signature_from(target, preparation, learner.info());
  CoreModelPtr core = learner.entry().restore(tree.at("model"), "model", reader);
  core->check(signature);
  auto provenance = restore<Provenance>(tree.at("provenance"), "provenance", reader);
  if (provenance.rows < 0) refuse("a negative number of training rows");
  check_unfinished(provenance.unfinished);
  reader.finish();
  return AnyModel({std::move(learner), std::move(preparation), std::move(signature),
                   std::move(provenance), std::move(core)});
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
  tree["model"] = model.core().store("model", archive);
  tree["provenance"] = store(model.provenance(), "provenance", archive);
  return archive;
}

AnyModel from_archive(const Archive& archive) {
  try {
    return restored(archive);
  } catch (const Error& error) {
    // A parameter out of its bounds is a mistake of the caller elsewhere; here it is a bad file.
    if (error.kind() == ErrorKind::internal || error.kind() == ErrorKind::limit) throw;
    throw Error(ErrorKind::bad_data, "model", error.message(), error.hint());
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::limit, "model", "there is not enough memory to load the model");
  } catch (const std::exception& error) {
    throw Error(ErrorKind::bad_data, "model", error.what());
  }
}

}  // namespace gradus
