// A learner and its model without their types: what the catalogue lists and every front uses.
//
// `entry<L>()` is declared here and instantiated in the learner's own folder (`entry_impl.hpp`), so
// that the catalogue costs one line and no template work.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "gradus/contract/feature_use.hpp"
#include "gradus/contract/learner.hpp"
#include "gradus/core/archive.hpp"
#include "gradus/core/checkpoint.hpp"
#include "gradus/core/params.hpp"

namespace gradus {

// The learned part of a model.
class CoreModel {
 public:
  virtual ~CoreModel() = default;
  virtual void predict(const RowBlock& rows, double* out) const = 0;
  // Whether the answers depend on the cells; else they need not be there.
  virtual bool reads_rows() const = 0;
  // Whether sparse rows are answered as they are; else they must be made dense first.
  virtual bool predicts_sparse() const = 0;
  virtual void predict(const SparseRows& rows, double* out) const = 0;
  virtual Value fitted(const Signature& signature) const = 0;
  virtual void check(const Signature& signature) const = 0;
  // The stored form; its arrays are named `path/...`.
  virtual Value store(const std::string& path, Archive& archive) const = 0;
  // Emits the steps of one prediction; only for learners that give `explains_row`.
  virtual void explain(std::span<const double> row, const Signature& signature,
                       Trace& trace) const = 0;
  // The new coordinates of rows and their names; only for learners that give `transforms`.
  virtual std::vector<std::string> coordinates(const Signature& signature) const = 0;
  virtual void transform(const RowBlock& rows, double* out) const = 0;
  // What each player (feature) adds to the scores of a row: rows x scores x (players + 1) numbers,
  // the last of each line being the mean answer. 0 scores: the model does not split its answers up.
  virtual std::size_t contribution_scores() const = 0;
  virtual void contributions(const PlayedRows& rows, double* out) const = 0;
  // The same by pairs: rows x scores x (players + 1) x (players + 1) numbers. Off the diagonal half
  // of what a pair does together, on it what a player does alone, in the last place the mean
  // answer. Only where there are contribution scores.
  virtual void interactions(const PlayedRows& rows, double* out) const = 0;
  // Whether the scores are the answers themselves; else they lead to them (logarithms of odds).
  virtual bool contributes_answers() const = 0;
  virtual SplitWork contribution_work() const = 0;
  // Why there are no contribution scores, of a model whose learner can have some; else empty.
  virtual std::string no_contributions() const = 0;
  // Nothing for models without trees.
  virtual std::optional<FeatureUse> feature_use(const Signature& signature) const = 0;
  // The trees that the model keeps, and one of them from its root as nested values: question, rows,
  // counts, answer and branches of each node. 0: it keeps none.
  virtual std::size_t kept_trees() const = 0;
  virtual Value kept_tree(std::size_t index, const Signature& signature) const = 0;
  virtual const std::type_info& type() const = 0;
  virtual const void* address() const = 0;
};

// What a CoreModel is besides when it answers rows of floats as they are.
class ReadsFloats {
 public:
  virtual ~ReadsFloats() = default;
  virtual void predict_floats(const FloatBlock& rows, double* out) const = 0;
};

using CoreModelPtr = std::shared_ptr<const CoreModel>;

struct Entry {
  Info info;              // with the parameters at their defaults
  std::string type_name;  // "KMeans": the struct, and the stem of the Python class
  ParamTable params;
  std::vector<Quantity> quantities;  // what a model's fitted() may name

  std::shared_ptr<void> (*make)();
  std::shared_ptr<void> (*copy)(const void* learner);
  void (*set)(void* learner, std::string_view name, const Value& value);
  ParamValues (*values)(const void* learner);
  // What the learner takes and gives with its present parameters: a learner over any learner takes
  // what the chosen one takes.
  Info (*info_of)(const void* learner);
  void (*check)(const void* learner, const TrainTask& task);
  CoreModelPtr (*fit)(const void* learner, const TrainTask& task, const Context& context);
  // Null unless the learner gives `incremental`.
  CoreModelPtr (*update)(const void* learner, const CoreModel& model, const TrainTask& task,
                         const Context& context);
  CoreModelPtr (*restore)(const Value& tree, const std::string& path, ArchiveReader& reader);
  // The fit that goes on from checkpoints; null unless the learner offers it.
  CoreModelPtr (*fit_resuming)(const void* learner, const TrainTask& task, const Context& context,
                               Checkpoints& checkpoints);
  // The fit that goes on from a model of the same learner and signature; null unless offered.
  CoreModelPtr (*fit_from)(const void* learner, const CoreModel& earlier, const TrainTask& task,
                           const Context& context);
  // The column whose rows the learner ranks together; empty: it does not rank. Nothing is learned
  // from that column, and predictions do without it.
  std::string (*query_of)(const void* learner);
  // Whether models of the learner can split their answers up; where one cannot, it says why.
  bool splits_answers = false;
  // Parameters of which more is more of the same work: a checkpoint may be resumed with more.
  std::vector<std::string_view> extends;
};

// The name of a type as its source writes it, without namespaces.
std::string unqualified_name(const std::type_info& type);

// Defined in the learner's folder by `template const Entry& entry<L>();`.
template <class L>
const Entry& entry();

}  // namespace gradus
