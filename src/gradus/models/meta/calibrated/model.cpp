#include "gradus/models/meta/calibrated/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/blocks/calibrate/calibrate.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/meta/inner_task.hpp"

namespace gradus {

template const Entry& entry<Calibrated>();

namespace {

[[noreturn]] void refuse(const char* why) { throw Error(ErrorKind::bad_data, "model", why); }

double mapped(CalibrationMethod method, const ClassMap& map, double score) {
  if (method == CalibrationMethod::sigmoid) return PlattMap{map.a, map.b}(score);
  return IsotonicMap{map.scores, map.values}(score);
}

void share_out(std::span<double> row) {
  double sum = 0;
  for (const double p : row) sum += p;
  const auto count = static_cast<double>(row.size());
  for (double& p : row) p = sum > 0 ? p / sum : 1 / count;
}

// Spreads what a base says of its own classes over all classes.
template <class Rows>
void spread(const CalibratedModel& model, const CalibratedMember& member, const Rows& rows,
            std::size_t count, double* out) {
  const auto all = static_cast<std::size_t>(model.classes);
  const std::size_t own = member.classes.size();
  std::vector<double> said(count * own, 1.0);
  if (member.model) member.model->core().predict(rows, said.data());
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const double> row(said.data() + i * own, own);
    // A class that the base never saw: probability 0, or a score below all others.
    const double least = *std::min_element(row.begin(), row.end());
    std::fill_n(out + i * all, all, model.probabilities ? 0.0 : least - std::abs(least) - 1);
    for (std::size_t k = 0; k < own; ++k)
      out[i * all + static_cast<std::size_t>(member.classes[k])] = row[k];
  }
}

template <class Rows>
void answer(const CalibratedModel& model, const Rows& rows, std::size_t count, double* out) {
  const auto all = static_cast<std::size_t>(model.classes);
  std::fill_n(out, count * all, 0.0);
  std::vector<double> scores(count * all);
  for (const CalibratedMember& member : model.members) {
    model.scores(member, rows, scores.data());
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<double> row(scores.data() + i * all, all);
      model.calibrate(member, row);
      for (std::size_t k = 0; k < all; ++k) out[i * all + k] += row[k];
    }
  }
  for (std::size_t i = 0; i < count; ++i) share_out({out + i * all, all});
}

bool is_map(const ClassMap& map, CalibrationMethod method) {
  if (!std::isfinite(map.a) || !std::isfinite(map.b)) return false;
  const bool steps = method == CalibrationMethod::isotonic;
  if (map.scores.size() != map.values.size() || map.scores.empty() == steps) return false;
  const auto finite = [](double x) { return std::isfinite(x); };
  const auto share = [](double x) { return x >= 0 && x <= 1; };
  return std::all_of(map.scores.begin(), map.scores.end(), finite) &&
         std::is_sorted(map.scores.begin(), map.scores.end()) &&
         std::all_of(map.values.begin(), map.values.end(), share);
}

}  // namespace

double mapped_score(bool probabilities, std::span<const double> row, std::size_t c) {
  return row.size() == 2 && !probabilities ? row[1] - row[0] : row[c];
}

double log_score(bool probabilities, double score) {
  if (!probabilities) return score;
  return std::log(std::max(score, std::numeric_limits<double>::min()));
}

void CalibratedModel::scores(const CalibratedMember& member, const RowBlock& rows,
                             double* out) const {
  spread(*this, member, rows, rows.rows, out);
}

void CalibratedModel::scores(const CalibratedMember& member, const SparseRows& rows,
                             double* out) const {
  spread(*this, member, rows, rows.size(), out);
}

void CalibratedModel::calibrate(const CalibratedMember& member, std::span<double> row) const {
  if (row.size() == 1) {
    row[0] = 1;
  } else if (method == CalibrationMethod::temperature) {
    for (double& score : row) score = log_score(probabilities, score);
    soften(row, member.temperature);
  } else if (row.size() == 2) {
    row[1] = mapped(method, member.maps[0], mapped_score(probabilities, row, 1));
    row[0] = 1 - row[1];
  } else {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = mapped(method, member.maps[c], row[c]);
    share_out(row);
  }
}

void CalibratedModel::predict(const RowBlock& rows, double* out) const {
  answer(*this, rows, rows.rows, out);
}

void CalibratedModel::predict(const SparseRows& rows, double* out) const {
  answer(*this, rows, rows.size(), out);
}

bool CalibratedModel::predicts_sparse() const {
  return std::all_of(members.begin(), members.end(), [](const CalibratedMember& member) {
    return !member.model || member.model->core().predicts_sparse();
  });
}

namespace {

std::vector<InnerMember> bases_of(const CalibratedModel& model, const Signature* signature) {
  std::vector<InnerMember> out;
  for (const CalibratedMember& member : model.members) {
    InnerMember one{member.model ? &*member.model : nullptr};
    for (const std::int32_t c : member.classes) {
      if (signature != nullptr) {
        one.classes.push_back(signature->classes[static_cast<std::size_t>(c)]);
      }
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::size_t CalibratedModel::kept_trees() const { return kept_trees_of(bases_of(*this, nullptr)); }

Value CalibratedModel::kept_tree(std::size_t index, const Signature& signature) const {
  return kept_tree_of(bases_of(*this, &signature), index, signature);
}

std::optional<FeatureUse> CalibratedModel::feature_use(const Signature& signature) const {
  return feature_use_of(bases_of(*this, &signature), signature);
}

Value CalibratedModel::fitted(const Signature& signature) const {
  Value out = object({{"members", members.size()},
                      {"method", enum_names(method)[static_cast<std::size_t>(method)]}});
  Value::Array temperatures;
  Value::Array maps;
  for (const CalibratedMember& member : members) {
    if (member.model) out["estimator"] = member.model->entry().info.name;
    temperatures.push_back(member.temperature);
    Value of_classes = object();
    for (std::size_t k = 0; k < member.maps.size(); ++k) {
      const ClassMap& map = member.maps[k];
      const std::string& name = signature.classes[member.maps.size() == 1 ? 1 : k];
      of_classes[name] =
          method == CalibrationMethod::sigmoid
              ? object({{"a", map.a}, {"b", map.b}})
              : object({{"scores", Value(map.scores)}, {"values", Value(map.values)}});
    }
    maps.push_back(std::move(of_classes));
  }
  if (method == CalibrationMethod::temperature) {
    out["temperatures"] = Value(std::move(temperatures));
  } else {
    out["maps"] = Value(std::move(maps));
  }
  return out;
}

void CalibratedModel::check(const Signature& signature) const {
  const std::size_t all = signature.classes.size();
  if (signature.task != Task::classify || members.empty() || classes < 1 ||
      static_cast<std::size_t>(classes) != all) {
    refuse("the calibrated model does not fit the classes");
  }
  const std::size_t wanted =
      method == CalibrationMethod::temperature || all == 1 ? 0 : (all == 2 ? 1 : all);
  for (const CalibratedMember& member : members) {
    bool sound = member.maps.size() == wanted && !member.classes.empty() &&
                 member.model.has_value() == (member.classes.size() > 1) &&
                 member.temperature > 0 && std::isfinite(member.temperature);
    for (const ClassMap& map : member.maps) sound = sound && is_map(map, method);
    std::vector<std::string> names;
    std::int32_t before = -1;
    for (const std::int32_t c : member.classes) {
      if (!sound || c <= before || static_cast<std::size_t>(c) >= all) refuse("a map is damaged");
      names.push_back(signature.classes[static_cast<std::size_t>(c)]);
      before = c;
    }
    if (!sound) refuse("a map is damaged");
    if (member.model) member.model->core().check(inner_signature(signature, {}, names));
  }
}

}  // namespace gradus
