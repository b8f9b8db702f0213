#include "gradus/api/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "gradus/api/container.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/read_file.hpp"
#include "gradus/core/text.hpp"

namespace gradus {
namespace {

constexpr std::uint64_t kLargestCheckpoint = std::uint64_t{64} << 30;
constexpr const char* kStartAgain = "start again without --resume, with --force";

std::string in_words(const Value& value) { return to_json(value); }

// Names the first part in which two works differ.
void require_same(const Value& here, const Value& there, const std::string& file) {
  for (const auto& [part, value] : here.as_object()) {
    const Value* other = there.find(part);
    if (other == nullptr) {
      throw Error(ErrorKind::bad_data, file, "this is not a checkpoint of this version");
    }
    if (part == "parameters") {
      for (const auto& [name, mine] : value.as_object()) {
        const Value* theirs = other->find(name);
        if (theirs != nullptr && to_json(*theirs) == to_json(mine)) continue;
        throw Error(ErrorKind::usage, "--resume",
                    fmt::format("{} was made with {} = {}, now it is {}", file, name,
                                theirs == nullptr ? "nothing" : in_words(*theirs), in_words(mine)),
                    kStartAgain);
      }
    } else if (to_json(*other) != to_json(value)) {
      throw Error(ErrorKind::usage, "--resume",
                  fmt::format("{} belongs to another work: its {} is {}, now it is {}", file, part,
                              in_words(*other), in_words(value)),
                  kStartAgain);
    }
  }
  for (const auto& [part, value] : there.as_object()) {
    if (here.find(part) != nullptr) continue;
    throw Error(ErrorKind::usage, "--resume",
                fmt::format("{} belongs to another work: its {} is {}, now there is none", file,
                            part, in_words(value)),
                kStartAgain);
  }
}

}  // namespace

Value fixed_parameters(const AnyLearner& learner) {
  Value out = object();
  const ParamValues values = learner.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::vector<std::string_view>& extends = learner.entry().extends;
    const bool fixed = std::find(extends.begin(), extends.end(), values[i].first) == extends.end();
    if (fixed) out[values[i].first] = values[i].second;
  }
  return out;
}

CheckpointFile::CheckpointFile(CheckpointOptions options, Value work)
    : options_(std::move(options)), work_(std::move(work)) {
  if (options_.every == 0) {
    throw Error(ErrorKind::usage, "--checkpoint-every", "checkpoint-every must be at least 1");
  }
  const bool exists = std::filesystem::exists(options_.file);
  if (exists && options_.if_kept == IfKept::refuse) {
    throw Error(ErrorKind::cannot_create, options_.file, "there is a checkpoint already",
                "go on from it with --resume, or replace it with --force");
  }
  if (!exists || options_.if_kept != IfKept::resume) {
    // Fails now, and not after the first rounds, when the file cannot be written.
    OutputFile early(options_.file, Overwrite::replace);
    return;
  }
  const std::string bytes = read_whole_file(options_.file, kLargestCheckpoint, kModelMagic);
  Archive archive = unpack(std::as_bytes(std::span(bytes)), options_.file);
  const Value* their_work = archive.tree.find("checkpoint");
  const Value* state = archive.tree.find("state");
  if (their_work == nullptr || state == nullptr) {
    throw Error(ErrorKind::bad_data, options_.file, "this is not a checkpoint");
  }
  require_same(work_, *their_work, options_.file);
  Value tree = *state;
  archive.tree = std::move(tree);
  left_ = std::move(archive);
}

void CheckpointFile::keep(Archive state) {
  Value tree = object({{"checkpoint", work_}});
  tree["state"] = std::move(state.tree);
  state.tree = std::move(tree);
  OutputFile out(options_.file, Overwrite::replace);
  out.write(pack(state));
  out.commit();
  kept_ = true;
}

}  // namespace gradus
