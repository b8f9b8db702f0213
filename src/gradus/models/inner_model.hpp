// A fitted model inside another one, and how it is fitted and stored.
//
// A learner over any learner keeps the models of the chosen one as fields of type InnerModel (or
// vectors and optionals of it). The stored form names the learner of the inner model and has its
// arrays under the path of the field, so that one file holds everything and each inner model is
// restored by its own learner.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gradus/contract/entry.hpp"
#include "gradus/models/any_learner.hpp"

namespace gradus {

class InnerModel {
 public:
  InnerModel() = default;
  InnerModel(const Entry& entry, CoreModelPtr core) : entry_(&entry), core_(std::move(core)) {}

  const Entry& entry() const { return *entry_; }
  const CoreModel& core() const { return *core_; }

  Value store(const std::string& path, Archive& archive) const;
  static InnerModel restore(const Value& tree, const std::string& path, ArchiveReader& reader);

 private:
  const Entry* entry_ = nullptr;
  CoreModelPtr core_;
};

// Fits the learner to a task made for it: with all its checks, and `whose` ("member 3") in front of
// what goes wrong.
InnerModel fit_inner(const AnyLearner& learner, const TrainTask& task, const Context& context,
                     const std::string& whose);

// The class that the model gives each row of a table, the first of equals; `classes` of them.
std::vector<std::int32_t> said_classes(const InnerModel& model, const Features& features,
                                       std::size_t classes, const Context& context);

}  // namespace gradus
