// Type erasure, written once for all learners. A learner's folder holds one file with
//
//   #include "gradus/contract/entry_impl.hpp"
//   #include "gradus/models/bayes/naive_bayes/model.hpp"
//   template const gradus::Entry& gradus::entry<gradus::NaiveBayes>();
//
// Beyond contract/learner.hpp, a learner may offer
//   Model fit(const TrainTask&, const Context&, Checkpoints&) const;    goes on after a kill
//   static constexpr std::string_view extends[] = {"n_estimators"};     more of it is more of the
//   same
//   Model fit_from(const Model&, const TrainTask&, const Context&) const;   goes on from a model
//   std::string ranked_by() const;      the column of the queries, empty when it does not rank
// and a model
//   auto compiled() const;              an object with every predict() of the model, made for speed
//   std::size_t contribution_scores() const;        answers as sums over features: all four
//   void contributions(const PlayedRows& rows, double* out) const;
//   void interactions(const PlayedRows& rows, double* out) const;
//   SplitWork contribution_work() const;
//   bool contributes_answers() const;               where scores are not the answers themselves
//   std::string no_contributions() const;           where some models have none
//   FeatureUse feature_use(const Signature&) const;                     of models with trees
//   std::size_t kept_trees() const;                                     trees that can be looked at
//   Value kept_tree(std::size_t index, const Signature& signature) const;
#pragma once

#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gradus/contract/entry.hpp"
#include "gradus/core/archive_impl.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/params_impl.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

namespace detail {

template <class M>
concept Transforms = requires(const M& model, const Signature& signature, const RowBlock& rows,
                              double* out) {
  { model.coordinates(signature) } -> std::same_as<std::vector<std::string>>;
  { model.transform(rows, out) } -> std::same_as<void>;
};

template <class M>
concept Contributes = requires(const M& model, const PlayedRows& rows, double* out) {
  { model.contribution_scores() } -> std::same_as<std::size_t>;
  { model.contribution_work() } -> std::same_as<SplitWork>;
  { model.contributions(rows, out) } -> std::same_as<void>;
  { model.interactions(rows, out) } -> std::same_as<void>;
};

template <class M>
concept KeepsTrees = requires(const M& model, std::size_t index, const Signature& signature) {
  { model.kept_trees() } -> std::same_as<std::size_t>;
  { model.kept_tree(index, signature) } -> std::same_as<Value>;
};

template <class M>
concept Compiles = requires(const M& model, const RowBlock& rows, double* out) {
  model.compiled().predict(rows, out);
};

template <class M>
concept PredictsFloats = requires(const M& model, const FloatBlock& rows, double* out) {
  model.predict(rows, out);
};

// What answers for a model: the model itself, or what it compiles to, made at the first question.
template <class M>
class Answering {
 public:
  static constexpr bool kPredictsFloats = PredictsFloats<M>;
  template <class Rows>
  void predict(const M& model, const Rows& rows, double* out) const {
    model.predict(rows, out);
  }
};

template <Compiles M>
class Answering<M> {
 public:
  static constexpr bool kPredictsFloats =
      PredictsFloats<decltype(std::declval<const M&>().compiled())>;
  template <class Rows>
  void predict(const M& model, const Rows& rows, double* out) const {
    std::call_once(once_, [&] { compiled_.emplace(model.compiled()); });
    compiled_->predict(rows, out);
  }

 private:
  mutable std::once_flag once_;
  mutable std::optional<decltype(std::declval<const M&>().compiled())> compiled_;
};

template <class M>
class HeldModel : public CoreModel {
 public:
  explicit HeldModel(M model) : model_(std::move(model)) {}

  void predict(const RowBlock& rows, double* out) const override {
    answering_.predict(model_, rows, out);
  }
  bool reads_rows() const override {
    if constexpr (requires { M::reads_rows; }) return M::reads_rows;
    return true;
  }
  bool predicts_sparse() const override {
    if constexpr (requires { model_.predicts_sparse(); }) return model_.predicts_sparse();
    return false;
  }
  void predict(const SparseRows& rows, double* out) const override {
    if constexpr (requires { model_.predict(rows, out); }) {
      answering_.predict(model_, rows, out);
    } else {
      assertion_failed("this learner predicts sparse rows", __FILE__, __LINE__);
    }
  }
  Value fitted(const Signature& signature) const override { return model_.fitted(signature); }
  void check(const Signature& signature) const override { model_.check(signature); }
  Value store(const std::string& path, Archive& archive) const override {
    return gradus::store(model_, path, archive);
  }
  void explain(std::span<const double> row, const Signature& signature,
               Trace& trace) const override {
    if constexpr (requires { model_.explain(row, signature, trace); }) {
      model_.explain(row, signature, trace);
    } else {
      assertion_failed("this learner explains rows", __FILE__, __LINE__);
    }
  }
  std::vector<std::string> coordinates(const Signature& signature) const override {
    if constexpr (Transforms<M>) {
      return model_.coordinates(signature);
    } else {
      assertion_failed("this learner transforms rows", __FILE__, __LINE__);
    }
  }
  void transform(const RowBlock& rows, double* out) const override {
    if constexpr (Transforms<M>) {
      model_.transform(rows, out);
    } else {
      assertion_failed("this learner transforms rows", __FILE__, __LINE__);
    }
  }
  std::size_t contribution_scores() const override {
    if constexpr (Contributes<M>) {
      return model_.contribution_scores();
    } else {
      return 0;
    }
  }
  void contributions(const PlayedRows& rows, double* out) const override {
    if constexpr (Contributes<M>) {
      model_.contributions(rows, out);
    } else {
      assertion_failed("this learner splits its answers up", __FILE__, __LINE__);
    }
  }
  void interactions(const PlayedRows& rows, double* out) const override {
    if constexpr (Contributes<M>) {
      model_.interactions(rows, out);
    } else {
      assertion_failed("this learner splits its answers up", __FILE__, __LINE__);
    }
  }
  bool contributes_answers() const override {
    if constexpr (requires { model_.contributes_answers(); }) {
      return model_.contributes_answers();
    } else {
      return Contributes<M>;
    }
  }
  SplitWork contribution_work() const override {
    if constexpr (Contributes<M>) {
      return model_.contribution_work();
    } else {
      return {};
    }
  }
  std::string no_contributions() const override {
    if constexpr (requires { model_.no_contributions(); }) {
      return model_.no_contributions();
    } else {
      return {};
    }
  }
  std::optional<FeatureUse> feature_use(const Signature& signature) const override {
    if constexpr (requires { model_.feature_use(signature); }) {
      return model_.feature_use(signature);
    } else {
      return std::nullopt;
    }
  }
  std::size_t kept_trees() const override {
    if constexpr (KeepsTrees<M>) {
      return model_.kept_trees();
    } else {
      return 0;
    }
  }
  Value kept_tree(std::size_t index, const Signature& signature) const override {
    if constexpr (KeepsTrees<M>) {
      return model_.kept_tree(index, signature);
    } else {
      assertion_failed("this learner keeps trees", __FILE__, __LINE__);
    }
  }
  const std::type_info& type() const override { return typeid(M); }
  const void* address() const override { return &model_; }

 protected:
  M model_;
  Answering<M> answering_;
};

template <class M>
class HeldFloatModel final : public HeldModel<M>, public ReadsFloats {
 public:
  using HeldModel<M>::HeldModel;
  void predict_floats(const FloatBlock& rows, double* out) const override {
    this->answering_.predict(this->model_, rows, out);
  }
};

template <class M>
CoreModelPtr held(M model) {
  if constexpr (Answering<M>::kPredictsFloats) {
    return std::make_shared<HeldFloatModel<M>>(std::move(model));
  } else {
    return std::make_shared<HeldModel<M>>(std::move(model));
  }
}

template <class L>
void check_learner(const void* learner, const TrainTask& task) {
  if constexpr (requires(const L& typed) { typed.check(task); }) {
    static_cast<const L*>(learner)->check(task);
  } else {
    (void)learner;
    (void)task;
  }
}

template <class L>
Info info_of_learner(const void* learner) {
  if constexpr (requires(const L& typed) { typed.effective_info(); }) {
    return static_cast<const L*>(learner)->effective_info();
  } else {
    (void)learner;
    return L::info;
  }
}

template <class L>
CoreModelPtr update_model(const void* learner, const CoreModel& model, const TrainTask& task,
                          const Context& context) {
  using M = typename L::Model;
  const M& typed = *static_cast<const M*>(model.address());
  return held<M>(static_cast<const L*>(learner)->update(typed, task, context));
}

template <class L>
std::string query_of_learner(const void* learner) {
  if constexpr (requires(const L& typed) { typed.ranked_by(); }) {
    return static_cast<const L*>(learner)->ranked_by();
  } else {
    (void)learner;
    return {};
  }
}

template <class L>
concept GoesOn = requires(const L& learner, const typename L::Model& earlier, const TrainTask& task,
                          const Context& context) {
  { learner.fit_from(earlier, task, context) } -> std::same_as<typename L::Model>;
};

template <class L>
CoreModelPtr fit_from_model(const void* learner, const CoreModel& earlier, const TrainTask& task,
                            const Context& context) {
  using M = typename L::Model;
  const M& typed = *static_cast<const M*>(earlier.address());
  return held<M>(static_cast<const L*>(learner)->fit_from(typed, task, context));
}

template <class L>
concept Resumes = requires(const L& learner, const TrainTask& task, const Context& context,
                           Checkpoints& checkpoints) {
  { learner.fit(task, context, checkpoints) } -> std::same_as<typename L::Model>;
};

template <class L>
CoreModelPtr fit_resuming(const void* learner, const TrainTask& task, const Context& context,
                          Checkpoints& checkpoints) {
  return held<typename L::Model>(static_cast<const L*>(learner)->fit(task, context, checkpoints));
}

}  // namespace detail

template <class L>
const Entry& entry() {
  static_assert(Learner<L>, "see contract/learner.hpp for what a learner must offer");
  using M = typename L::Model;
  constexpr bool incremental = L::info.gives.has(Give::incremental);
  constexpr bool explains =
      requires(const M& m, std::span<const double> row, const Signature& s, Trace& t) {
    m.explain(row, s, t);
  };
  static_assert(L::info.gives.has(Give::explains_row) == explains,
                "explains_row is declared exactly when the model has explain()");
  static_assert(L::info.gives.has(Give::transforms) == detail::Transforms<M>,
                "transforms is declared exactly when the model has coordinates() and transform()");
  static const Entry shared = [] {
    Entry e{};
    e.info = L::info;
    e.type_name = unqualified_name(typeid(L));
    e.params = param_table<L>();
    e.quantities.assign(std::begin(M::quantities), std::end(M::quantities));
    e.make = []() -> std::shared_ptr<void> { return std::make_shared<L>(); };
    e.copy = [](const void* learner) -> std::shared_ptr<void> {
      return std::make_shared<L>(*static_cast<const L*>(learner));
    };
    e.set = [](void* learner, std::string_view name, const Value& value) {
      set_param(*static_cast<L*>(learner), name, value);
    };
    e.values = [](const void* learner) { return param_values(*static_cast<const L*>(learner)); };
    e.info_of = &detail::info_of_learner<L>;
    e.query_of = &detail::query_of_learner<L>;
    e.check = &detail::check_learner<L>;
    e.fit = [](const void* learner, const TrainTask& task, const Context& context) -> CoreModelPtr {
      return detail::held<M>(static_cast<const L*>(learner)->fit(task, context));
    };
    if constexpr (incremental) e.update = &detail::update_model<L>;
    e.restore = [](const Value& tree, const std::string& path,
                   ArchiveReader& reader) -> CoreModelPtr {
      return detail::held<M>(gradus::restore<M>(tree, path, reader));
    };
    if constexpr (detail::GoesOn<L>) e.fit_from = &detail::fit_from_model<L>;
    if constexpr (detail::Resumes<L>) e.fit_resuming = &detail::fit_resuming<L>;
    e.splits_answers = detail::Contributes<M>;
    if constexpr (requires { L::extends; }) {
      e.extends.assign(std::begin(L::extends), std::end(L::extends));
    }
    return e;
  }();
  return shared;
}

}  // namespace gradus
