#include "gradus/models/bayes/naive_bayes/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/contract/entry_impl.hpp"
#include "gradus/simd/kernels.hpp"
#include "gradus/simd/sparse.hpp"

namespace gradus {

template const Entry& entry<NaiveBayes>();

std::size_t NaiveBayesModel::table_rows() const {
  std::size_t rows = 0;
  for (std::size_t feature = 0; feature < feature_count(); ++feature) {
    if (tabled(feature)) rows += level_count(feature);
  }
  return rows;
}

namespace {

// log P(x_j|c) of one number for every class, added to `joint`.
void add_number(const NaiveBayesModel& model, std::size_t feature, double x, double* joint) {
  const std::size_t classes = model.class_count();
  const std::size_t at = feature * classes;
  if (model.numeric == NumericEvent::gaussian) {
    const double* mean = model.tables.mean.data() + at;
    const double* precision = model.tables.precision.data() + at;
    const double* top = model.tables.log_density.data() + at;
    for (std::size_t c = 0; c < classes; ++c) {
      const double distance = x - mean[c];
      // In this order, so that a precision of 0 silences the column whatever the distance.
      joint[c] += top[c] - distance * precision[c] * distance;
    }
  } else if (x != 0) {  // an event that did not happen is no factor, also where log P = -inf
    const double* log_event = model.tables.log_event.data() + at;
    for (std::size_t c = 0; c < classes; ++c) joint[c] += x * log_event[c];
  }
}

// log P(c) + Σ log P(x_j|c), without the missing values.
void joint_of(const NaiveBayesModel& model, std::span<const double> row, double* joint) {
  const std::size_t classes = model.class_count();
  std::copy(model.tables.log_prior.begin(), model.tables.log_prior.end(), joint);
  const double* table = model.tables.log_level.data();
  for (std::size_t feature = 0; feature < row.size(); ++feature) {
    const double x = row[feature];
    if (!model.tabled(feature)) {
      if (x == x) add_number(model, feature, x, joint);
      continue;
    }
    std::size_t level = 0;
    if (model.find_level(feature, x, level)) {
      const double* logs = table + level * classes;
      for (std::size_t c = 0; c < classes; ++c) joint[c] += logs[c];
    }
    table += model.level_count(feature) * classes;
  }
}

// The largest joint is taken off before the exponential, so nothing overflows and the best class
// never underflows. Where every class is impossible (a bare frequency of 0, or a value beyond the
// range of the densities) the evidence says nothing and the priors answer.
void shares_from_joints(const NaiveBayesModel& model, std::size_t rows, double* out) {
  const std::size_t width = model.class_count();
  const std::vector<double>& log_prior = model.tables.log_prior;
  for (std::size_t i = 0; i < rows; ++i) {
    double* joint = out + i * width;
    double largest = *std::max_element(joint, joint + width);
    if (largest == -std::numeric_limits<double>::infinity()) {
      std::copy(log_prior.begin(), log_prior.end(), joint);
      largest = *std::max_element(joint, joint + width);
    }
    for (std::size_t c = 0; c < width; ++c) joint[c] -= largest;
  }
  simd::exp(out, out, rows * width);
  for (std::size_t i = 0; i < rows; ++i) {
    double* share = out + i * width;
    double total = 0;
    for (std::size_t c = 0; c < width; ++c) total += share[c];
    for (std::size_t c = 0; c < width; ++c) share[c] /= total;
  }
}

}  // namespace

void NaiveBayesModel::predict(const RowBlock& rows, double* out) const {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    joint_of(*this, rows.row(i), out + i * class_count());
  }
  shares_from_joints(*this, rows.rows, out);
}

void NaiveBayesModel::predict(const SparseRows& rows, double* out) const {
  const std::size_t width = class_count();
  for (std::size_t i = rows.begin; i < rows.end; ++i) {
    double* joint = out + (i - rows.begin) * width;
    std::copy(tables.log_prior.begin(), tables.log_prior.end(), joint);
    const auto index = rows.matrix.row_index(i);
    simd::add_scaled_rows({index.data(), rows.matrix.row_value(i).data(), index.size()},
                          tables.log_event.data(), width, joint);
  }
  shares_from_joints(*this, rows.size(), out);
}

namespace {

[[noreturn]] void refuse(const char* why) {
  throw Error(ErrorKind::bad_data, "model",
              std::string("the naive Bayes model is damaged: ") + why);
}

template <class Test>
void require_all(const std::vector<double>& numbers, std::size_t size, Test test,
                 const char* what) {
  if (numbers.size() != size || !std::all_of(numbers.begin(), numbers.end(), test)) refuse(what);
}

bool is_finite(double x) { return std::isfinite(x); }
bool is_weight(double x) { return std::isfinite(x) && x >= 0; }
bool is_share(double x) { return x >= 0 && x <= 1; }
bool is_log_share(double x) { return x <= 0; }  // -inf is log 0; NaN is not <= 0

void check_shape(const NaiveBayesModel& model, const Signature& signature) {
  if (signature.task != Task::classify || signature.classes.empty() || model.classes <= 0 ||
      model.class_count() != signature.classes.size()) {
    refuse("its classes are not those of the target");
  }
  if (model.levels.size() != signature.features.size()) {
    refuse("its columns are not those of the data");
  }
  for (std::size_t j = 0; j < model.levels.size(); ++j) {
    const FeatureNames& names = signature.features;
    const std::int32_t number = model.numeric == NumericEvent::bernoulli
                                    ? NaiveBayesModel::kPresence
                                    : NaiveBayesModel::kNumber;
    const bool fits = names.nominal(j)
                          ? model.levels[j] >= 0 && model.level_count(j) == names.levels(j).size()
                          : model.levels[j] == number;
    if (!fits) refuse("the levels of a column differ");
  }
  if (!std::isfinite(model.binarize) || !is_weight(model.epsilon)) refuse("a number is not finite");
}

void check_counts(const NaiveBayesModel& model) {
  const NaiveBayesCounts& seen = model.seen;
  const std::size_t cells = model.class_count() * model.feature_count();
  const bool gaussian = model.numeric == NumericEvent::gaussian;
  const bool multinomial = model.numeric == NumericEvent::multinomial;
  require_all(seen.classes, model.class_count(), is_weight, "class weights");
  require_all(seen.levels, model.table_rows() * model.class_count(), is_weight, "level counts");
  require_all(seen.weight, gaussian ? cells : 0, is_weight, "weights");
  require_all(seen.mean, gaussian ? cells : 0, is_finite, "means");
  require_all(seen.squares, gaussian ? cells : 0, is_weight, "squares");
  require_all(seen.events, multinomial ? cells : 0, is_weight, "events");
}

}  // namespace

void NaiveBayesModel::check(const Signature& signature) const {
  check_shape(*this, signature);
  check_counts(*this);
  const std::size_t cells = class_count() * feature_count();
  const std::size_t gaussian = numeric == NumericEvent::gaussian ? cells : 0;
  const auto is_positive = [](double x) { return std::isfinite(x) && x > 0; };
  require_all(pseudo, feature_count(), is_weight, "smoothing");
  require_all(tables.prior, class_count(), is_share, "priors");
  require_all(tables.log_prior, class_count(), is_log_share, "log priors");
  require_all(tables.log_level, table_rows() * class_count(), is_log_share, "log frequencies");
  require_all(tables.mean, gaussian, is_finite, "means");
  require_all(tables.variance, gaussian, is_positive, "variances");
  require_all(tables.precision, gaussian, is_weight, "precisions");
  require_all(tables.log_density, gaussian, is_finite, "densities");
  require_all(tables.log_event, numeric == NumericEvent::multinomial ? cells : 0, is_log_share,
              "log events");
  const auto& prior = tables.log_prior;
  if (!std::isfinite(*std::max_element(prior.begin(), prior.end()))) refuse("no class is possible");
}

}  // namespace gradus
