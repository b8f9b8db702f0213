#include "gradus/models/meta/bagging/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/meta/inner_task.hpp"

namespace gradus {

template const Entry& entry<Bagging>();

namespace {

[[noreturn]] void refuse(const char* why) { throw Error(ErrorKind::bad_data, "model", why); }

bool ascending(const std::vector<std::int32_t>& items, std::size_t limit) {
  return std::is_sorted(items.begin(), items.end()) &&
         (items.empty() || (items.front() >= 0 && static_cast<std::size_t>(items.back()) < limit));
}

// The answers of one member, counted into those of all.
struct Tally {
  const BaggingModel& model;
  const BaggingMember& member;

  void add(std::span<const double> answer, double* out) const {
    if (!model.classify) {
      for (std::size_t k = 0; k < answer.size(); ++k) out[k] += answer[k];
    } else if (model.soft) {
      for (std::size_t k = 0; k < answer.size(); ++k) out[member.classes[k]] += answer[k];
    } else {
      const auto top = std::max_element(answer.begin(), answer.end()) - answer.begin();
      out[member.classes[static_cast<std::size_t>(top)]] += 1;
    }
  }

  void add_all(const double* answers, std::size_t rows, double* out) const {
    const auto all = static_cast<std::size_t>(model.width);
    const std::size_t own = member.width(all);
    for (std::size_t i = 0; i < rows; ++i) add({answers + i * own, own}, out + i * all);
  }
};

void divide(double* numbers, std::size_t count, std::size_t by) {
  for (std::size_t i = 0; i < count; ++i) numbers[i] /= static_cast<double>(by);
}

}  // namespace

void BaggingModel::add_votes(std::size_t m, const RowBlock& rows, double* out) const {
  const BaggingMember& member = members[m];
  const auto all = static_cast<std::size_t>(width);
  std::vector<double> answers(rows.rows * member.width(all), 1.0);
  std::vector<double> scratch;
  if (member.model) {
    member.model->core().predict(own_columns(rows, member.columns, scratch), answers.data());
  }
  Tally{*this, member}.add_all(answers.data(), rows.rows, out);
}

void BaggingModel::predict(const RowBlock& rows, double* out) const {
  const auto all = static_cast<std::size_t>(width);
  std::fill_n(out, rows.rows * all, 0.0);
  for (std::size_t m = 0; m < members.size(); ++m) add_votes(m, rows, out);
  divide(out, rows.rows * all, members.size());
}

bool BaggingModel::predicts_sparse() const {
  return std::all_of(members.begin(), members.end(), [](const BaggingMember& member) {
    return !member.model || (member.columns.empty() && member.model->core().predicts_sparse());
  });
}

void BaggingModel::predict(const SparseRows& rows, double* out) const {
  const auto all = static_cast<std::size_t>(width);
  std::fill_n(out, rows.size() * all, 0.0);
  for (const BaggingMember& member : members) {
    std::vector<double> answers(rows.size() * member.width(all), 1.0);
    if (member.model) member.model->core().predict(rows, answers.data());
    Tally{*this, member}.add_all(answers.data(), rows.size(), out);
  }
  divide(out, rows.size() * all, members.size());
}

Value BaggingModel::fitted(const Signature& /*signature*/) const {
  Value out = object({{"members", members.size()}});
  const auto fitted_one =
      std::find_if(members.begin(), members.end(),
                   [](const BaggingMember& member) { return member.model.has_value(); });
  if (fitted_one != members.end()) out["estimator"] = fitted_one->model->entry().info.name;
  if (classify) out["voting"] = soft ? "soft" : "hard";
  if (oob_score) out["oob_score"] = *oob_score;
  if (oob_error) {
    out["oob_error"] = *oob_error;
    out["oob_rows"] = oob_rows;
  }
  return out;
}

namespace {

// In the words of inner_member.hpp.
std::vector<InnerMember> members_of(const BaggingModel& model, const Signature* signature) {
  std::vector<InnerMember> out;
  for (const BaggingMember& member : model.members) {
    InnerMember one{member.model ? &*member.model : nullptr, member.columns, {}};
    for (const std::int32_t c : member.classes) {
      if (signature != nullptr) {
        one.classes.push_back(signature->classes[static_cast<std::size_t>(c)]);
      }
    }
    out.push_back(std::move(one));
  }
  return out;
}

// Adds what every member adds to the mean answer; `share` adds that of one with a model.
template <class Share>
void add_members(const BaggingModel& model, const PlayedRows& rows, const MeanPlace& place,
                 const Share& share, double* out) {
  const double times = 1 / static_cast<double>(model.members.size());
  for (const BaggingMember& member : model.members) {
    std::vector<ScoreUse> uses;
    for (std::size_t k = 0; k < member.width(place.scores); ++k) {
      const std::size_t to = model.classify ? static_cast<std::size_t>(member.classes[k]) : k;
      uses.push_back({k, to, times});
    }
    if (member.model) {
      share(MemberShare({&*member.model, member.columns, {}}, std::move(uses)));
    } else {
      add_to_means(rows, place, uses.front(), out);
    }
  }
}

}  // namespace

std::string BaggingModel::no_contributions() const {
  if (classify && !soft) return "hard votes do not add up by feature (voting=soft does)";
  for (const BaggingMember& member : members) {
    if (!member.model) continue;
    const CoreModel& core = member.model->core();
    if (core.contribution_scores() == 0) return why_not_split_up(*member.model);
    if (!core.contributes_answers()) {
      return fmt::format(
          "{} splits up the scores behind its answers, and the members' answers are averaged",
          member.model->entry().info.name);
    }
  }
  return {};
}

std::size_t BaggingModel::contribution_scores() const {
  return no_contributions().empty() ? static_cast<std::size_t>(width) : 0;
}

void BaggingModel::contributions(const PlayedRows& rows, double* out) const {
  const MeanPlace place{static_cast<std::size_t>(width), rows.players() + 1};
  std::fill_n(out, rows.rows() * place.scores * place.numbers, 0.0);
  const auto share = [&](const MemberShare& one) {
    one.add_contributions(rows, place.scores, out);
  };
  add_members(*this, rows, place, share, out);
}

void BaggingModel::interactions(const PlayedRows& rows, double* out) const {
  const std::size_t side = rows.players() + 1;
  const MeanPlace place{static_cast<std::size_t>(width), side * side};
  std::fill_n(out, rows.rows() * place.scores * place.numbers, 0.0);
  const auto share = [&](const MemberShare& one) { one.add_interactions(rows, place.scores, out); };
  add_members(*this, rows, place, share, out);
}

SplitWork BaggingModel::contribution_work() const {
  SplitWork out;
  for (const BaggingMember& member : members) {
    if (member.model) out += member.model->core().contribution_work();
  }
  return out;
}

std::optional<FeatureUse> BaggingModel::feature_use(const Signature& signature) const {
  return feature_use_of(members_of(*this, &signature), signature);
}

std::size_t BaggingModel::kept_trees() const { return kept_trees_of(members_of(*this, nullptr)); }

Value BaggingModel::kept_tree(std::size_t index, const Signature& signature) const {
  return kept_tree_of(members_of(*this, &signature), index, signature);
}

void BaggingModel::check(const Signature& signature) const {
  if (classify != (signature.task == Task::classify) || width < 1 ||
      static_cast<std::size_t>(width) != signature.width() || members.empty()) {
    refuse("the ensemble does not fit the target");
  }
  for (const std::optional<double>& measured : {oob_score, oob_error}) {
    if (measured && !std::isfinite(*measured)) refuse("the out-of-bag error is not a number");
  }
  if (oob_rows < 0) refuse("a negative number of rows");
  for (const BaggingMember& member : members) {
    const std::size_t classes = member.classes.size();
    const bool distinct =
        std::adjacent_find(member.classes.begin(), member.classes.end()) == member.classes.end();
    const bool sound = ascending(member.columns, signature.features.size()) &&
                       ascending(member.classes, signature.classes.size()) && distinct &&
                       (classes > 0) == classify && member.model.has_value() == (classes != 1);
    if (!sound) refuse("a member of the ensemble is damaged");
    if (!member.model) continue;
    std::vector<std::string> names;
    for (const std::int32_t c : member.classes) {
      names.push_back(signature.classes[static_cast<std::size_t>(c)]);
    }
    member.model->core().check(inner_signature(signature, member.columns, names));
  }
}

}  // namespace gradus
