#include "gradus/models/boosting/boost_by_filtering/model.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/meta/inner_task.hpp"

namespace gradus {

template const Entry& entry<BoostByFiltering>();

namespace {

constexpr std::size_t kMostMembers = 3;

// What every member says to `count` rows, row-major; then votes, and half a vote more for the class
// that the committee decides for.
template <class Rows>
void answer(const BoostByFilteringModel& model, const Rows& rows, std::size_t count, double* out) {
  const std::size_t members = model.members.size();
  std::vector<std::int32_t> said(count * members);
  for (std::size_t m = 0; m < members; ++m) {
    const FilteringMember& member = model.members[m];
    const std::size_t width = member.classes.size();
    std::vector<double> numbers(count * width, 1.0);
    if (member.model) member.model->core().predict(rows, numbers.data());
    for (std::size_t i = 0; i < count; ++i) {
      const double* mine = numbers.data() + i * width;
      said[i * members + m] =
          member.classes[static_cast<std::size_t>(std::max_element(mine, mine + width) - mine)];
    }
  }
  const auto classes = static_cast<std::size_t>(model.classes);
  std::fill_n(out, count * classes, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const std::int32_t> votes(said.data() + i * members, members);
    for (const std::int32_t vote : votes) out[i * classes + static_cast<std::size_t>(vote)] += 1;
    out[i * classes + model.decide(votes)] += 0.5;
  }
}

}  // namespace

std::vector<std::string> class_names(const FilteringMember& member, const Signature& signature) {
  std::vector<std::string> names;
  for (const std::int32_t c : member.classes) {
    names.push_back(signature.classes[static_cast<std::size_t>(c)]);
  }
  return names;
}

std::size_t BoostByFilteringModel::decide(std::span<const std::int32_t> said) const {
  const bool third = said.size() == kMostMembers && said[0] != said[1];
  return static_cast<std::size_t>(third ? said[2] : said[0]);
}

void BoostByFilteringModel::predict(const RowBlock& rows, double* out) const {
  answer(*this, rows, rows.rows, out);
}

bool BoostByFilteringModel::predicts_sparse() const {
  return std::all_of(members.begin(), members.end(), [](const FilteringMember& member) {
    return !member.model || member.model->core().predicts_sparse();
  });
}

void BoostByFilteringModel::predict(const SparseRows& rows, double* out) const {
  answer(*this, rows, rows.size(), out);
}

namespace {

std::vector<InnerMember> members_of(const BoostByFilteringModel& model,
                                    const Signature& signature) {
  std::vector<InnerMember> out;
  for (const FilteringMember& member : model.members) {
    out.push_back({member.model ? &*member.model : nullptr, {}, class_names(member, signature)});
  }
  return out;
}

}  // namespace

std::size_t BoostByFilteringModel::kept_trees() const {
  std::vector<InnerMember> shapes;
  for (const FilteringMember& member : members) {
    shapes.push_back({member.model ? &*member.model : nullptr});
  }
  return kept_trees_of(shapes);
}

Value BoostByFilteringModel::kept_tree(std::size_t index, const Signature& signature) const {
  return kept_tree_of(members_of(*this, signature), index, signature);
}

std::optional<FeatureUse> BoostByFilteringModel::feature_use(const Signature& signature) const {
  return feature_use_of(members_of(*this, signature), signature);
}

Value BoostByFilteringModel::fitted(const Signature& /*signature*/) const {
  Value out = object({{"learners", members.size()}});
  std::vector<std::int64_t> rows;
  for (const FilteringMember& member : members) {
    rows.push_back(member.rows);
    if (member.model) out["estimator"] = member.model->entry().info.name;
  }
  out["rows"] = Value(rows);
  out["first_error"] = first_error;
  if (members.size() > 1) out["disagreement"] = disagreement;
  out["training_error"] = training_error;
  return out;
}

void BoostByFilteringModel::check(const Signature& signature) const {
  const auto refuse = [] {
    throw Error(ErrorKind::bad_data, "model", "the committee of learners is damaged");
  };
  const auto is_share = [](double x) { return x >= 0 && x <= 1; };
  if (classes < 1 || static_cast<std::size_t>(classes) != signature.classes.size()) refuse();
  if (members.empty() || members.size() > kMostMembers) refuse();
  if (!is_share(first_error) || !is_share(disagreement) || !is_share(training_error)) refuse();
  for (const FilteringMember& member : members) {
    const std::vector<std::int32_t>& known = member.classes;
    const bool sound = !known.empty() && known.front() >= 0 && known.back() < classes &&
                       std::is_sorted(known.begin(), known.end()) &&
                       std::adjacent_find(known.begin(), known.end()) == known.end() &&
                       member.model.has_value() == (known.size() > 1) && member.rows >= 0;
    if (!sound) refuse();
    if (!member.model) continue;
    member.model->core().check(inner_signature(signature, {}, class_names(member, signature)));
  }
}

}  // namespace gradus
