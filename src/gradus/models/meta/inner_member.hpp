// A model inside a learner over learners, as a part of the whole: what it knows of the columns and
// classes, the trees that it keeps, and how what it adds up adds to what the whole adds up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/contract/feature_use.hpp"
#include "gradus/contract/played_rows.hpp"
#include "gradus/models/inner_model.hpp"

namespace gradus {

struct InnerMember {
  const InnerModel* model = nullptr;           // none: it answers one class, whatever it is asked
  std::span<const std::int32_t> columns = {};  // of the whole, in its own order; empty: all
  std::vector<std::string> classes = {};       // as it knows them; empty: those of the whole

  Signature seen(const Signature& whole) const;
};

// The rows as a member with these columns knows them; empty: all.
RowBlock own_columns(const RowBlock& rows, std::span<const std::int32_t> columns,
                     std::vector<double>& scratch);

// The trees of all members, one after the other; a member without a model is a leaf. None where a
// fitted member keeps none.
std::size_t kept_trees_of(std::span<const InnerMember> members);
Value kept_tree_of(std::span<const InnerMember> members, std::size_t index,
                   const Signature& signature);

// The sums over all members; nothing where one has no trees, no gains where one does not know them.
std::optional<FeatureUse> feature_use_of(std::span<const InnerMember> members,
                                         const Signature& signature);

// Score `from` of a member counts `times` in score `to` of the whole.
struct ScoreUse {
  std::size_t from = 0;
  std::size_t to = 0;
  double times = 1;
};

// What a member contributes, with its scores where the whole has them. The columns of a member
// belong to the players of the columns that they are: a column that was drawn twice is one.
class MemberShare {
 public:
  MemberShare(const InnerMember& member, std::vector<ScoreUse> uses)
      : core_(member.model->core()), columns_(member.columns), uses_(std::move(uses)) {}

  // Adds to rows x scores x (players + 1), or x (players + 1) twice, numbers.
  void add_contributions(const PlayedRows& rows, std::size_t scores, double* out) const;
  void add_interactions(const PlayedRows& rows, std::size_t scores, double* out) const;

 private:
  enum class What { values, pairs };
  void add(What what, const PlayedRows& rows, std::size_t scores, double* out) const;

  const CoreModel& core_;
  std::span<const std::int32_t> columns_;
  std::vector<ScoreUse> uses_;
};

// Adds a constant to the mean answer of a score of every row; `numbers` are those of a row and
// score.
struct MeanPlace {
  std::size_t scores = 0;
  std::size_t numbers = 0;
};
void add_to_means(const PlayedRows& rows, const MeanPlace& place, const ScoreUse& constant,
                  double* out);

// Why a member does not split its answers up, in words.
std::string why_not_split_up(const InnerModel& model);

}  // namespace gradus
