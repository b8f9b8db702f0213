#include "gradus/models/meta/inner_member.hpp"

#include <fmt/format.h>

#include "gradus/models/meta/inner_task.hpp"

namespace gradus {
namespace {

// Trees that a member counts for: one that was never fitted is a leaf.
std::size_t trees_in(const InnerMember& member) {
  return member.model == nullptr ? 1 : member.model->core().kept_trees();
}

void add_numbers(const std::vector<double>& numbers, std::span<const std::int32_t> columns,
                 std::vector<double>& sums) {
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    sums[columns.empty() ? j : static_cast<std::size_t>(columns[j])] += numbers[j];
  }
}

}  // namespace

Signature InnerMember::seen(const Signature& whole) const {
  return inner_signature(whole, {columns.begin(), columns.end()}, classes);
}

RowBlock own_columns(const RowBlock& rows, std::span<const std::int32_t> columns,
                     std::vector<double>& scratch) {
  if (columns.empty()) return rows;
  scratch.resize(rows.rows * columns.size());
  double* out = scratch.data();
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (const std::int32_t j : columns) *out++ = rows.row(i)[static_cast<std::size_t>(j)];
  }
  return {scratch.data(), rows.rows, columns.size()};
}

std::size_t kept_trees_of(std::span<const InnerMember> members) {
  std::size_t count = 0;
  bool fitted = false;
  for (const InnerMember& member : members) {
    if (trees_in(member) == 0) return 0;
    fitted = fitted || member.model != nullptr;
    count += trees_in(member);
  }
  return fitted ? count : 0;
}

Value kept_tree_of(std::span<const InnerMember> members, std::size_t index,
                   const Signature& signature) {
  std::size_t m = 0;
  for (; index >= trees_in(members[m]); ++m) index -= trees_in(members[m]);
  const InnerMember& member = members[m];
  if (member.model == nullptr) return object({{"leaf", member.classes.front()}});
  Value out = member.model->core().kept_tree(index, member.seen(signature));
  if (trees_in(member) > 1) out["member"] = m + 1;
  return out;
}

std::optional<FeatureUse> feature_use_of(std::span<const InnerMember> members,
                                         const Signature& signature) {
  const std::size_t columns = signature.features.size();
  FeatureUse sum{std::vector<double>(columns, 0.0), std::vector<double>(columns, 0.0)};
  bool fitted = false;
  for (const InnerMember& member : members) {
    if (member.model == nullptr) continue;
    const std::optional<FeatureUse> own = member.model->core().feature_use(member.seen(signature));
    if (!own) return std::nullopt;
    if (own->gains.empty()) sum.gains.clear();
    if (!sum.gains.empty()) add_numbers(own->gains, member.columns, sum.gains);
    add_numbers(own->splits, member.columns, sum.splits);
    fitted = true;
  }
  if (!fitted) return std::nullopt;
  return sum;
}

void MemberShare::add(What what, const PlayedRows& rows, std::size_t scores, double* out) const {
  std::vector<double> scratch;
  std::vector<std::int32_t> players;
  for (const std::int32_t j : columns_) {
    players.push_back(static_cast<std::int32_t>(rows.player(static_cast<std::size_t>(j))));
  }
  for (std::size_t j = 0; columns_.empty() && j < rows.block().cols; ++j) {
    players.push_back(static_cast<std::int32_t>(rows.player(j)));
  }
  const PlayedRows own(own_columns(rows.block(), columns_, scratch), {players, rows.players()});
  const std::size_t side = rows.players() + 1;
  const std::size_t numbers = what == What::values ? side : side * side;
  const std::size_t own_scores = core_.contribution_scores();
  std::vector<double> parts(rows.rows() * own_scores * numbers);
  if (what == What::values) {
    core_.contributions(own, parts.data());
  } else {
    core_.interactions(own, parts.data());
  }
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (const ScoreUse& use : uses_) {
      const double* from = parts.data() + (i * own_scores + use.from) * numbers;
      double* to = out + (i * scores + use.to) * numbers;
      for (std::size_t at = 0; at < numbers; ++at) to[at] += use.times * from[at];
    }
  }
}

void MemberShare::add_contributions(const PlayedRows& rows, std::size_t scores, double* out) const {
  add(What::values, rows, scores, out);
}

void MemberShare::add_interactions(const PlayedRows& rows, std::size_t scores, double* out) const {
  add(What::pairs, rows, scores, out);
}

void add_to_means(const PlayedRows& rows, const MeanPlace& place, const ScoreUse& constant,
                  double* out) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    out[(i * place.scores + constant.to + 1) * place.numbers - 1] += constant.times;
  }
}

std::string why_not_split_up(const InnerModel& model) {
  const std::string inner = model.core().no_contributions();
  return fmt::format("{} inside it does not{}{}", model.entry().info.name,
                     inner.empty() ? "" : ": ", inner);
}

}  // namespace gradus
