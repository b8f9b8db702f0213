// What every fitted model owes its users: answers of the right shape, the same bytes however it is
// asked, and nothing that depends on threads, traces, storage or the day.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>
#include <thread>

#include "conformance/learner_case.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus::conformance {
namespace {

class Prediction : public EveryLearner {};
GRADUS_FOR_EVERY_LEARNER(Prediction);

TEST_P(Prediction, has_one_finite_answer_per_row) {
  const SmallCase data = small();
  const AnyModel model = fitted();
  const Predictions predictions = model.predict(data.features);
  ASSERT_EQ(predictions.rows, data.features.rows());
  ASSERT_EQ(predictions.values.size(), predictions.rows * model.signature().width());
  for (std::size_t row = 0; row < predictions.rows; ++row) {
    double sum = 0;
    for (const double x : predictions.row(row)) {
      ASSERT_TRUE(std::isfinite(x));
      sum += x;
      if (predictions.task == Task::classify && predictions.probabilities) {
        EXPECT_GE(x, 0);
        EXPECT_LE(x, 1);
      }
    }
    if (predictions.task == Task::classify && predictions.probabilities) {
      EXPECT_NEAR(sum, 1, 1e-12);
    }
    if (predictions.task == Task::cluster) {
      EXPECT_EQ(sum, std::floor(sum));
      EXPECT_GE(sum, 0);
    }
  }
}

TEST_P(Prediction, is_the_same_for_one_row_and_for_the_batch) {
  const SmallCase data = small();
  const AnyModel model = fitted();
  const Predictions batch = model.predict(data.features);
  for (std::size_t row = 0; row < batch.rows; ++row) {
    const std::size_t chosen[] = {row};
    const Predictions single = model.predict(data.features.take(chosen));
    EXPECT_EQ(
        0, std::memcmp(single.values.data(), batch.row(row).data(), batch.width * sizeof(double)));
  }
}

TEST_P(Prediction, follows_the_rows_when_they_are_reordered) {
  const SmallCase data = small();
  const AnyModel model = fitted();
  const Predictions forward = model.predict(data.features);
  const Dataset reversed_rows = with_rows(data.features, [](std::size_t n) {
    std::vector<std::size_t> rows(n);
    for (std::size_t i = 0; i < n; ++i) rows[i] = n - 1 - i;
    return rows;
  });
  const Predictions backward = model.predict(reversed_rows);
  for (std::size_t row = 0; row < forward.rows; ++row) {
    EXPECT_EQ(0, std::memcmp(forward.row(row).data(), backward.row(forward.rows - 1 - row).data(),
                             forward.width * sizeof(double)));
  }
}

TEST_P(Prediction, of_no_rows_is_empty) {
  const AnyModel model = fitted();
  const Predictions none = model.predict(small().features.take({}));
  EXPECT_EQ(none.rows, 0U);
}

TEST_P(Prediction, can_be_asked_from_many_threads_at_once) {
  const SmallCase data = small();
  const AnyModel model = fitted();
  const std::vector<double> expected = model.predict(data.features).values;
  std::vector<std::vector<double>> answers(4);
  {
    std::vector<std::jthread> askers;
    for (auto& answer : answers) {
      askers.emplace_back([&] { answer = model.predict(data.features, with_threads(1)).values; });
    }
  }
  for (const auto& answer : answers) EXPECT_EQ(answer, expected);
}

TEST_P(Prediction, survives_saving_and_loading_bit_for_bit) {
  const SmallCase data = small();
  const AnyModel model = fitted();
  const std::vector<std::byte> bytes = to_bytes(model);
  const AnyModel back = from_bytes(bytes);
  EXPECT_EQ(back.fingerprint(), model.fingerprint());
  EXPECT_EQ(back.predict(data.features).values, model.predict(data.features).values);
  EXPECT_EQ(to_json(back.fitted()), to_json(model.fitted()));
  EXPECT_EQ(to_bytes(back), bytes);
}

TEST_P(Prediction, gives_new_coordinates_if_it_says_so) {
  const SmallCase data = small();
  const AnyModel model = fitted();
  if (!info().gives.has(Give::transforms)) {
    EXPECT_THROW(model.transform(data.features), Error);
    return;
  }
  const Transformed all = model.transform(data.features, with_threads(1));
  const std::set<std::string> names(all.names.begin(), all.names.end());
  EXPECT_EQ(names.size(), all.names.size());
  ASSERT_EQ(all.rows, data.features.rows());
  ASSERT_EQ(all.values.size(), all.rows * all.names.size());
  for (const double x : all.values) EXPECT_TRUE(std::isfinite(x));
  EXPECT_EQ(model.transform(data.features, with_threads(8)).values, all.values);
  EXPECT_EQ(from_bytes(to_bytes(model)).transform(data.features).values, all.values);
  const std::size_t last[] = {all.rows - 1};
  const std::vector<double> alone = model.transform(data.features.take(last)).values;
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), all.values.end() - alone.size()));
}

TEST_P(Prediction, is_split_up_by_feature_the_same_way_however_it_is_asked) {
  const SmallCase data = small();
  const AnyModel model = fitted();
  if (model.core().contribution_scores() == 0) {
    EXPECT_THROW(model.contributions(data.features), Error);
    return;
  }
  const Contributions parts = model.contributions(data.features, with_threads(1));
  const std::size_t width = parts.features.size() + 1;
  ASSERT_EQ(parts.values.size(), data.features.rows() * parts.scores * width);
  for (const double x : parts.values) ASSERT_TRUE(std::isfinite(x));
  EXPECT_EQ(model.contributions(data.features, with_threads(8)).values, parts.values);
  if (model.core().contributes_answers()) {
    const Predictions answers = model.predict(data.features);
    ASSERT_EQ(answers.width, parts.scores);
    for (std::size_t at = 0; at < answers.values.size(); ++at) {
      const auto line = parts.values.begin() + static_cast<std::ptrdiff_t>(at * width);
      const double sum = std::accumulate(line, line + static_cast<std::ptrdiff_t>(width), 0.0);
      EXPECT_NEAR(sum, answers.values[at], 1e-9 * std::max(1.0, std::abs(answers.values[at])));
    }
  }
  // What features do in pairs adds up to what each of them adds.
  const Contributions pairs = model.interactions(data.features);
  ASSERT_EQ(pairs.values.size(), parts.values.size() * width);
  double largest = 0;
  for (const double x : parts.values) largest = std::max(largest, std::abs(x));
  for (std::size_t line = 0; line < parts.values.size(); ++line) {
    const auto begin = pairs.values.begin() + static_cast<std::ptrdiff_t>(line * width);
    EXPECT_NEAR(std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(width), 0.0),
                parts.values[line], 1e-9 * largest);
  }
}

class Fit : public EveryLearner {};
GRADUS_FOR_EVERY_LEARNER(Fit);

TEST_P(Fit, gives_the_same_bytes_for_any_number_of_threads_and_any_repeat) {
  const std::vector<std::byte> first = to_bytes(fitted(with_threads(1)));
  for (const int threads : {1, 2, 3, 8}) {
    EXPECT_EQ(to_bytes(fitted(with_threads(threads))), first) << threads << " threads";
  }
}

TEST_P(Fit, gives_the_same_bytes_with_and_without_a_trace) {
  Recorder recorder;
  Context context;
  context.trace = &recorder;
  EXPECT_EQ(to_bytes(fitted(context)), to_bytes(fitted()));
  EXPECT_EQ(!recorder.steps().empty(), info().gives.has(Give::explains_fit));
  for (std::size_t i = 0; i < recorder.steps().size(); ++i) {
    const Step& step = recorder.steps()[i];
    EXPECT_EQ(step.number, i + 1);
    EXPECT_FALSE(step.title.empty());
    EXPECT_FALSE(step.text.empty() && step.formula.empty()) << step.title;
    EXPECT_EQ(parse_json(to_json(to_value(step))).at("number").as_integer(),
              static_cast<std::int64_t>(i + 1));
  }
}

TEST_P(Fit, explains_one_prediction_if_it_says_so) {
  Recorder recorder;
  const SmallCase data = small();
  if (info().gives.has(Give::explains_row)) {
    fitted().explain_row(data.features, 0, recorder);
    EXPECT_FALSE(recorder.steps().empty());
  } else {
    EXPECT_THROW(fitted().explain_row(data.features, 0, recorder), Error);
  }
}

TEST_P(Fit, leaves_its_parameters_alone_and_stores_them) {
  const AnyLearner before = learner();
  const AnyModel model = from_bytes(to_bytes(fitted()));
  EXPECT_EQ(before.values(), model.learner().values());
}

TEST_P(Fit, names_what_it_learned) {
  const Value learned = fitted().fitted();
  ASSERT_TRUE(learned.is_object());
  EXPECT_GT(learned.size(), 0U);
  std::set<std::string_view> documented;
  for (const Quantity& quantity : learner().entry().quantities) {
    EXPECT_TRUE(documented.insert(quantity.name).second) << quantity.name << " twice";
    EXPECT_TRUE(quantity.doc.ends_with('.')) << quantity.name;
  }
  for (const auto& [name, value] : learned.as_object()) {
    EXPECT_TRUE(documented.contains(name)) << name << " is not one of the model's quantities";
  }
}

TEST_P(Fit, stops_when_the_user_asked_to) {
  CancelToken token;
  token.request();
  Context context;
  context.cancel = &token;
  try {
    fitted(context);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

// Asks to stop when a unit of the stage is whole; else it remembers the last stage that was under
// way.
class Impatient : public ProgressSink {
 public:
  void update(std::string_view name, std::uint64_t done, std::uint64_t total) override {
    if (waits_for.empty() && done > 0 && done < total) last_stage = name;
    if (name == waits_for && done > 0) token.request();
  }
  CancelToken token;
  std::string waits_for;  // empty: it does not stop
  std::string last_stage;
};

// What sets how much work there is, for learners whose smallest work is soon done.
AnyLearner with_much_to_do(AnyLearner learner) {
  for (const auto& [name, value] : {std::pair{"tol", Value(0.0)},
                                    {"n_estimators", Value(40)},
                                    {"max_iter", Value(40)},
                                    {"n_iter_no_change", Value(40)}}) {
    const ParamInfo* param = find_param(learner.params(), name);
    if (param != nullptr && param->text.name == name) learner.set(name, value);
  }
  return learner;
}

TEST_P(Fit, hands_out_what_is_whole_when_it_is_stopped_if_it_says_so) {
  SmallCase data = small();
  data.options.keep_partial = true;
  Impatient user;
  Context context = with_threads(2);
  context.progress = &user;
  context.cancel = &user.token;
  if (!info().gives.has(Give::partial)) {
    try {
      fit(learner(), data.data, data.options, context);
      FAIL() << "took the option";
    } catch (const Error& error) {
      EXPECT_EQ(error.where(), "--keep-partial");
      EXPECT_NE(error.hint().find("gradient_boosting"), std::string::npos) << error.what();
    }
    return;
  }
  const AnyLearner busy = with_much_to_do(learner());
  fit(busy, data.data, data.options, context);
  user.waits_for = user.last_stage;
  ASSERT_FALSE(user.waits_for.empty()) << "it does not say how far it is";
  const AnyModel model = fit(busy, data.data, data.options, context);
  ASSERT_TRUE(user.token.requested()) << "too little to do";
  const Unfinished& work = model.provenance().unfinished;
  ASSERT_TRUE(model.provenance().partial());
  EXPECT_GE(work.done, 1);
  EXPECT_LT(work.done, work.planned);
  const AnyModel back = from_bytes(to_bytes(model));
  EXPECT_EQ(back.provenance().unfinished.unit, work.unit);
  EXPECT_EQ(back.provenance().unfinished.done, work.done);
  const std::vector<double> answers = model.predict(data.features).values;
  EXPECT_EQ(back.predict(data.features).values, answers);
  for (const double x : answers) EXPECT_TRUE(std::isfinite(x));
  // The same as when no more had been asked for. Functions of several classes that are learned one
  // after the other are stopped at passes of their own.
  if (work.unit == "pass" && model.signature().width() > 2) return;
  AnyLearner modest = busy;
  const char* amount =
      find_param(busy.params(), "n_estimators") != nullptr ? "n_estimators" : "max_iter";
  modest.set(amount, Value(work.done));
  data.options.keep_partial = false;
  EXPECT_EQ(fit(modest, data.data, data.options).predict(data.features).values, answers);
}

TEST_P(Fit, hands_out_nothing_before_something_is_whole) {
  SmallCase data = small();
  if (!info().gives.has(Give::partial)) return;
  data.options.keep_partial = true;
  CancelToken token;
  token.request();
  Context context;
  context.cancel = &token;
  try {
    fit(learner(), data.data, data.options, context);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

TEST_P(Fit, is_no_other_fit_when_a_stop_would_be_answered) {
  SmallCase data = small();
  if (!info().gives.has(Give::partial)) return;
  const AnyModel usual = fit(learner(), data.data, data.options, with_threads(2));
  data.options.keep_partial = true;
  EXPECT_EQ(to_bytes(fit(learner(), data.data, data.options, with_threads(2))), to_bytes(usual));
}

TEST_P(Fit, keeps_no_text_of_a_column_that_it_was_told_to_ignore) {
  SmallCase data = small();
  const std::string canary = "canary-7d1f";
  data.data = data.data.with_column(
      Column::nominal("secret", std::vector<std::int32_t>(data.data.rows(), 0), {canary}));
  data.options.ignore.push_back("secret");
  const std::vector<std::byte> bytes = to_bytes(fit(learner(), data.data, data.options));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_EQ(text.find(canary), std::string_view::npos);
}

}  // namespace
}  // namespace gradus::conformance
