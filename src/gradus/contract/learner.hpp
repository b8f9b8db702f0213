// The socket that every learner plugs into.
//
// A learner is an aggregate of hyper-parameters that says what it is (`info`), describes its
// parameters (`describe`) and turns a task into a model (`fit`). A model is an aggregate of learned
// arrays that describes its stored fields, predicts blocks of rows, names what it learned and can
// check itself after loading. Everything else (type erasure, saving, preparation, threads for
// prediction, command, Python, reference) is written once, elsewhere.
//
//   struct MyLearner {
//     double alpha = 1;
//     using Model = MyModel;
//     static constexpr Info info{.name = "my_learner", ...};
//     static constexpr auto describe() { ... param(...) ... }
//     Model fit(const TrainTask&, const Context&) const;
//     // optional: void check(const TrainTask&) const;                    cross-field checks
//     // optional: Info effective_info() const;    what it takes and gives with these parameters
//     // optional: Model update(Model, const TrainTask&, const Context&) const;   partial_fit
//     // more that is optional: entry_impl.hpp
//     // with Give::partial, `fit` asks context.ends_here(…) between two units of its work
//   };
//   struct MyModel {
//     std::vector<double> coefficients;
//     static constexpr auto describe() { ... field(...) ... }
//     void predict(const RowBlock& rows, double* out) const;              rows.rows x width numbers
//     Value fitted(const Signature&) const;                               textbook names
//     static constexpr Quantity quantities[] = {{"coefficients", "…"}};   what these names mean
//     void check(const Signature&) const;                                 after loading
//     // optional: bool predicts_sparse() const;                          if the next may be called
//     //           void predict(const SparseRows&, double* out) const;     same bytes as above
//     // optional: void predict(const FloatBlock&, double* out) const;     same bytes as above
//     // optional: static constexpr bool reads_rows = false;  rows.data may then be null
//     // optional: Answers compiled() const;                  predicts in its place, made once
//     // optional: void explain(std::span<const double> row, const Signature&, Trace&) const;
//     // optional: std::vector<std::string> coordinates(const Signature&) const;
//     //           void transform(const RowBlock& rows, double* out) const;  rows x coordinates
//   };
//
// `predict` and `transform` must give the same bytes for a row whatever the block around it.
#pragma once

#include <concepts>
#include <span>

#include "gradus/contract/info.hpp"
#include "gradus/contract/played_rows.hpp"
#include "gradus/contract/train_task.hpp"
#include "gradus/core/context.hpp"
#include "gradus/core/members.hpp"
#include "gradus/core/value.hpp"

namespace gradus {

template <class M>
concept Model = Described<M> &&
    requires(const M& model, const RowBlock& rows, double* out, const Signature& signature) {
  { model.predict(rows, out) } -> std::same_as<void>;
  { model.fitted(signature) } -> std::same_as<Value>;
  {std::span<const Quantity>(M::quantities)};
  { model.check(signature) } -> std::same_as<void>;
};

template <class L>
concept Learner = Described<L> && Model<typename L::Model> &&
    requires(const L& learner, const TrainTask& task, const Context& context) {
  { L::info } -> std::convertible_to<Info>;
  { learner.fit(task, context) } -> std::same_as<typename L::Model>;
};

// What a user of a learner needs to know: that it is one. The whole contract is checked where the
// learner is defined, so that using it does not need the definition of its model.
template <class L>
concept NamedLearner = requires {
  { L::info } -> std::convertible_to<Info>;
  typename L::Model;
};

}  // namespace gradus
