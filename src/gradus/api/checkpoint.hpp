// The checkpoint of a fit as a file.
//
// The file is a container like that of a model (save.hpp): checksummed, written to a temporary
// file, synced and renamed, so that there is the old checkpoint or the new one and never half of
// one. It says what work it belongs to: the learner, its parameters, the data, the columns and the
// version. Going on with anything else is refused, naming what differs; only a parameter that is
// more of the same work (`n_estimators`) may have changed.
//
//   FitOptions options{.target = {"y"}, .checkpoint = {.file = "run.ckpt", .every = 20}};
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "gradus/core/checkpoint.hpp"
#include "gradus/models/any_learner.hpp"

namespace gradus {

// What to do with a checkpoint that is already there.
enum class IfKept { refuse, replace, resume };

struct CheckpointOptions {
  std::string file = {};   // empty: none
  std::size_t every = 10;  // units of work (rounds) between two of them
  IfKept if_kept = IfKept::refuse;
};

// The parameters of a learner that must be the same for a checkpoint to be of use.
Value fixed_parameters(const AnyLearner& learner);

class CheckpointFile : public Checkpoints {
 public:
  // `work` names everything that the result depends on, part by part.
  CheckpointFile(CheckpointOptions options, Value work);

  const Archive* state() const override { return left_ ? &*left_ : nullptr; }
  bool due(std::uint64_t done) const override { return done % options_.every == 0; }
  void keep(Archive state) override;
  bool has_kept() const { return kept_; }

 private:
  CheckpointOptions options_;
  Value work_;
  std::optional<Archive> left_;
  bool kept_ = false;
};

}  // namespace gradus
