// What curves say about a learner, in the words of the textbooks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/text.hpp"
#include "gradus/evaluate/curves.hpp"

namespace gradus {
namespace {

constexpr std::string_view kRegimes[] = {"high variance", "high bias", "goal reached", "unclear"};

constexpr const char* kMoreRows = "more rows to learn from";
constexpr const char* kBagging =
    "bagging: average many models of resampled rows, as random_forest does";
constexpr const char* kBoosting =
    "boosting: add models that mend each other's errors, as gradient_boosting does";
constexpr std::string_view kAveraging[] = {"random_forest", "extra_trees", "bagging"};
constexpr std::string_view kMending[] = {"gradient_boosting", "adaboost", "logitboost"};

std::vector<std::string> against_variance() {
  return {kMoreRows, "a simpler model: stronger regularisation, a shallower tree, fewer features",
          kBagging};
}

std::vector<std::string> against_bias() {
  return {"a richer model: weaker regularisation, a deeper tree, a learner that is not linear",
          "more features, or better ones", kBoosting};
}

// Nobody is told to try what the learner does already.
void drop_own_remedy(const Curve& curve, std::vector<std::string>& treatments) {
  const auto is_one_of = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), curve.learner) != std::end(names);
  };
  if (is_one_of(kAveraging)) std::erase(treatments, kBagging);
  if (is_one_of(kMending)) std::erase(treatments, kBoosting);
}

// Where the error that divides the regimes comes from.
enum class Goal { given, assumed };

// An error of 1e-16 is what rounding left of none.
std::string number(double x) { return readable(std::abs(x) < 1e-12 ? 0.0 : x, 3); }

struct Errors {
  double training = 0;
  double examined = 0;
};

std::optional<Errors> errors_at(const Curve& curve, std::size_t i) {
  const ScorePoint& point = curve.points[i];
  if (!point.training.mean || !point.examined.mean) return std::nullopt;
  const auto training = error_of(curve.metric, *point.training.mean);
  const auto examined = error_of(curve.metric, *point.examined.mean);
  if (!training || !examined) return std::nullopt;
  return Errors{*training, *examined};
}

std::optional<double> wanted_error(const Curve& curve, const std::optional<double>& goal) {
  if (goal) return error_of(curve.metric, *goal);
  if (!curve.baseline) return std::nullopt;
  const auto error = error_of(curve.metric, *curve.baseline);
  return error ? std::optional(*error / 2) : std::nullopt;
}

std::string wanted_words(const Diagnosis& out, Goal goal) {
  return goal == Goal::given ? fmt::format("the error wanted, {}", number(*out.wanted))
                             : fmt::format("half of the baseline's error, {}", number(*out.wanted));
}

// Whether more rows would help, from the second half of a learning curve: in words, and in what is
// to be tried.
void add_trend(const Curve& curve, Diagnosis& out) {
  const std::size_t last = curve.points.size() - 1;
  const double rows = curve.points[last].at.as_number();
  std::size_t half = 0;
  for (std::size_t i = 0; i < last; ++i) {
    if (curve.points[i].at.as_number() <= 0.6 * rows) half = i;
  }
  const auto before = errors_at(curve, half);
  const auto now = errors_at(curve, last);
  if (last == 0 || !before || !now) return;
  const double fell = before->examined - now->examined;
  const auto& deviation = curve.points[last].examined.deviation;
  const auto folds =
      static_cast<double>(std::max<std::size_t>(curve.points[last].examined.folds, 1));
  const double doubt = deviation ? *deviation / std::sqrt(folds) : 0;
  const std::string from_to =
      fmt::format(" From {} to {} rows the error on new rows went from {} to {}: ",
                  to_json(curve.points[half].at), to_json(curve.points[last].at),
                  number(before->examined), number(now->examined));
  const bool helps = fell > doubt && fell > 0.02 * now->examined;
  out.words += from_to + (helps ? "more rows are likely to help." : "more rows will hardly help.");
  if (!helps) std::erase(out.treatments, kMoreRows);
}

// What the ends of a validation curve have in common with the textbook's picture.
std::string side_words(const Curve& curve) {
  std::string out;
  const auto best = errors_at(curve, curve.best);
  if (!best) return out;
  for (const std::size_t end : {std::size_t{0}, curve.points.size() - 1}) {
    const auto there = errors_at(curve, end);
    if (end == curve.best || !there || there->examined <= best->examined) continue;
    const bool apart = there->examined - there->training > best->examined - best->training &&
                       there->training <= best->training;
    const std::string figures = fmt::format("training error {}, on new rows {}",
                                            number(there->training), number(there->examined));
    const std::string value = curve.points[end].at.is_string() ? curve.points[end].at.as_string()
                                                               : to_json(curve.points[end].at);
    out += apart ? fmt::format(" Towards {} the errors part ({}): overfitting.", value, figures)
                 : fmt::format(" Towards {} both errors are higher ({}): underfitting.", value,
                               figures);
  }
  return out;
}

std::string best_words(const Curve& curve) {
  const ScorePoint& best = curve.points[curve.best];
  if (curve.kind == CurveKind::learning || !best.examined.mean) return "";
  const std::string value = best.at.is_string() ? best.at.as_string() : to_json(best.at);
  return fmt::format("The best value of {} is {} ({} {}).", curve.label, value, curve.metric.words,
                     readable(*best.examined.mean, 4));
}

void name_regime(Diagnosis& out, Goal goal) {
  const std::string against = wanted_words(out, goal);
  const std::string figures = fmt::format("training error {}, error on new rows {}",
                                          number(out.training_error), number(out.examined_error));
  const double gap = out.examined_error - out.training_error;
  if (out.examined_error <= *out.wanted) {
    out.regime = Regime::reached;
    out.words +=
        fmt::format("Goal reached: the error on new rows is not above {} ({}).", against, figures);
    if (gap > out.examined_error / 2) {
      out.words += " Most of what is left is variance: the training error is much smaller.";
      out.treatments = against_variance();
    }
  } else if (out.training_error > *out.wanted) {
    out.regime = Regime::high_bias;
    out.words +=
        fmt::format("High bias: already the training error is above {} ({}).", against, figures);
    out.treatments = against_bias();
    if (gap > out.training_error) {
      out.words += " The gap between the two is larger still, so there is variance too.";
      for (std::string& one : against_variance()) out.treatments.push_back(std::move(one));
    }
  } else {
    out.regime = Regime::high_variance;
    out.words += fmt::format(
        "High variance: the training error is below {}, the error on new rows "
        "is not ({}).",
        against, figures);
    out.treatments = against_variance();
  }
}

}  // namespace

std::string_view regime_word(Regime regime) { return kRegimes[static_cast<std::size_t>(regime)]; }

Diagnosis diagnose(const Curve& curve, const std::optional<double>& goal) {
  Diagnosis out;
  const bool learning = curve.kind == CurveKind::learning;
  const auto here = errors_at(curve, learning ? curve.points.size() - 1 : curve.best);
  const std::string best = best_words(curve);
  out.words = best + (best.empty() ? "" : side_words(curve) + " ");
  if (!here) {
    out.words += "There is no diagnosis: the measure is undefined, or has no perfect score.";
    return out;
  }
  out.training_error = here->training;
  out.examined_error = here->examined;
  out.wanted = wanted_error(curve, goal);
  if (!out.wanted) {
    out.words += "There is no diagnosis without a goal: name the score wanted.";
    return out;
  }
  name_regime(out, goal ? Goal::given : Goal::assumed);
  if (learning) add_trend(curve, out);
  drop_own_remedy(curve, out.treatments);
  return out;
}

}  // namespace gradus
