// A fitted model with everything it needs to answer about raw rows: how to prepare them, what the
// classes are called, which learner and parameters made it, and from which data.
//
// A model is immutable and cheap to copy; predicting from many threads at once is safe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/api/preparation.hpp"
#include "gradus/core/context.hpp"
#include "gradus/models/any_learner.hpp"

namespace gradus {

// How far a fit was that was stopped and handed out what it had.
struct Unfinished {
  std::string unit = {};  // of its work: "round", "tree", ...; empty: the fit came to its end
  std::int64_t done = 0;
  std::int64_t planned = 0;

  template <class U = Unfinished>
  static constexpr auto describe() {
    return Members{field(&U::unit, 1, "unit"), field(&U::done, 2, "done"),
                   field(&U::planned, 3, "planned")};
  }
};

// Where a model comes from. It is stored beside the model and is not part of its fingerprint.
struct Provenance {
  std::string version;           // of Gradus
  std::string data_fingerprint;  // of the training table
  std::int64_t rows = 0;
  Unfinished unfinished = {};

  bool partial() const { return !unfinished.unit.empty(); }

  template <class P = Provenance>
  static constexpr auto describe() {
    return Members{field(&P::version, 1, "version"),
                   field(&P::data_fingerprint, 2, "data_fingerprint"), field(&P::rows, 3, "rows"),
                   field(&P::unfinished, 4, "unfinished").since(2)};
  }
};

struct Predictions {
  Task task = Task::classify;
  std::size_t rows = 0;
  std::size_t width = 0;       // numbers per row
  std::vector<double> values;  // rows x width: class probabilities or scores, numbers, clusters
  std::vector<std::string> classes;
  std::vector<std::string> outputs;
  bool probabilities = false;  // whether class numbers are probabilities
  UnseenReport unseen;

  std::span<const double> row(std::size_t i) const { return {values.data() + i * width, width}; }
  // Index of the class with the largest number, ties to the lowest; the cluster for clustering.
  std::size_t label(std::size_t i) const;
};

// Rows in the coordinates that a model gives them: see `Give::transforms`.
struct Transformed {
  std::size_t rows = 0;
  std::vector<std::string> names;  // of the coordinates
  std::vector<double> values;      // rows x names
  UnseenReport unseen;
};

// What each feature of a row adds to its scores: exact Shapley values of trees. A score is what the
// model adds up: the answer itself, or the log-odds of a class.
struct Contributions {
  std::size_t rows = 0;
  std::size_t scores = 0;             // per row
  std::vector<std::string> features;  // the prepared ones
  std::vector<std::string> names;     // of the scores: classes or outputs; empty for one alone
  // rows x scores x (features + 1), the last being the mean; of interactions rows x scores x
  // (features + 1) x (features + 1), the mean in the last place.
  std::vector<double> values;
  UnseenReport unseen;
};

// Which numbers of a table a caller wants refused while they are read. A learner that cannot take
// missing cells would fill them as training decided; a front end may prefer an error.
enum class Cells { any, no_infinity, finite };

struct PredictOptions {
  Extra extra = Extra::error;
  Cells cells = Cells::any;  // of numeric columns
};

class AnyModel {
 public:
  // Everything a model is made of; used by fit and by loading.
  struct Parts {
    AnyLearner learner;
    Preparation preparation;
    Signature signature;
    Provenance provenance;
    CoreModelPtr core;
  };
  explicit AnyModel(Parts parts);

  const Info& info() const { return parts_->learner.info(); }
  const AnyLearner& learner() const { return parts_->learner; }
  const Preparation& preparation() const { return parts_->preparation; }
  const Signature& signature() const { return parts_->signature; }
  const Provenance& provenance() const { return parts_->provenance; }
  const CoreModel& core() const { return *parts_->core; }

  Predictions predict(const Dataset& data, const Context& context = {},
                      const PredictOptions& options = {}) const;

  // The same numbers into memory of the caller, rows() x signature().width() of them.
  UnseenReport predict_into(const Dataset& data, std::span<double> out, const Context& context = {},
                            const PredictOptions& options = {}) const;
  // The class or cluster of every row alone, as Predictions::label says it: nobody keeps the
  // numbers behind it.
  UnseenReport labels_into(const Dataset& data, std::span<std::int32_t> out,
                           const Context& context = {}, const PredictOptions& options = {}) const;

  // The new coordinates of every row; for learners that give `transforms`.
  Transformed transform(const Dataset& data, const Context& context = {},
                        const PredictOptions& options = {}) const;
  // The answer of every row as a sum over features; for models that split their answers up.
  Contributions contributions(const Dataset& data, const Context& context = {},
                              const PredictOptions& options = {}) const;
  // The same by pairs of features: their lines add up to the contributions.
  Contributions interactions(const Dataset& data, const Context& context = {},
                             const PredictOptions& options = {}) const;
  // Throws Error{usage} unless the model splits its answers up.
  void require_contributions() const;
  // The column whose rows are ranked together; empty: the model does not rank. Answers need it
  // not.
  std::string query() const { return learner().entry().query_of(learner().address()); }
  // The number of trees that can be looked at; one of them, from 0 on, as nested values.
  std::size_t trees() const { return core().kept_trees(); }
  Value tree(std::size_t index) const;
  // Throws Error{usage} unless the learner gives `transforms`.
  void require_transforms() const;

  // One prepared row (`signature().features` order, codes for nominal features), no allocation:
  // writes `signature().width()` numbers.
  void predict_row(std::span<const double> row, double* out) const {
    parts_->core->predict(RowBlock{row.data(), 1, row.size()}, out);
  }

  // The numbered steps of one prediction.
  void explain_row(const Dataset& data, std::size_t row, Trace& trace) const;

  // The learned quantities by their textbook names.
  Value fitted() const { return parts_->core->fitted(parts_->signature); }

  // A hash of everything learned: equal for equal models, whatever the thread count or the day.
  // Computed at the first call: a large model is loaded and used without it.
  const std::string& fingerprint() const;

 private:
  struct State;
  std::shared_ptr<const Parts> parts_;
  std::shared_ptr<const State> state_;  // shared by copies, like the parts
};

// The stored form (api/model_archive.cpp), and back with every check; see api/save.hpp for files.
Archive to_archive(const AnyModel& model);
AnyModel from_archive(const Archive& archive);

// A model whose type is known: `Fitted<KMeans>` is an AnyModel that can show its KMeansModel.
template <class L>
class Fitted : public AnyModel {
 public:
  explicit Fitted(AnyModel model) : AnyModel(std::move(model)) {}
  const typename L::Model& model() const {
    return *static_cast<const typename L::Model*>(core().address());
  }
};

}  // namespace gradus
