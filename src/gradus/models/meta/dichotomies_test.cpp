#include "gradus/models/meta/dichotomies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gradus/api/fit.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/learners.hpp"
#include "gradus/models/meta/ecoc/model.hpp"
#include "gradus/models/meta/label_partition/model.hpp"
#include "gradus/models/meta/one_vs_one/model.hpp"
#include "gradus/models/meta/one_vs_rest/model.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// `classes` clouds on a circle, which overlap a little.
Dataset clouds(std::size_t classes, std::size_t rows, std::uint64_t seed) {
  Stream stream(seed);
  std::vector<double> a;
  std::vector<double> b;
  std::vector<std::int32_t> y;
  Levels names;
  for (std::size_t c = 0; c < classes; ++c) names.push_back("c" + std::to_string(c));
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t c = i % classes;
    const double angle = 6.283185307179586 * static_cast<double>(c) / static_cast<double>(classes);
    a.push_back(4 * std::cos(angle) + stream.normal());
    b.push_back(4 * std::sin(angle) + stream.normal());
    y.push_back(static_cast<std::int32_t>(c));
  }
  return Dataset(
      {Column::numeric("a", a), Column::numeric("b", b), Column::nominal("y", y, names)});
}

double accuracy(const AnyModel& model, const Dataset& data) {
  const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
  double right = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    right += static_cast<std::int32_t>(said.label(i)) == data.column("y").code(i) ? 1 : 0;
  }
  return right / static_cast<double>(data.rows());
}

AnyModel fitted(const std::string& text, const Dataset& data) {
  return fit(parse_learner(text), data, {.target = {"y"}});
}

const char* const kAll[] = {"one_vs_rest",       "one_vs_one",
                            "ecoc(code_size=4)", "ecoc(code=exhaustive, decoding=hamming)",
                            "label_partition",   "label_partition(strategy=nested)"};

std::string over(const std::string& outer, const std::string& base) {
  return outer.ends_with(')') ? outer.substr(0, outer.size() - 1) + ", estimator=" + base + ")"
                              : outer + "(estimator=" + base + ")";
}

TEST(Dichotomies, every_way_of_asking_tells_clouds_apart) {
  const Dataset train = clouds(5, 400, 1);
  const Dataset fresh = clouds(5, 400, 2);
  for (const std::string outer : kAll) {
    for (const std::string base : {"decision_tree(max_depth=6)", "naive_bayes", "lda"}) {
      // One line cannot part a cloud on a circle from the groups around it.
      const double least = base == "lda" && outer != "one_vs_one" ? 0.5 : 0.85;
      EXPECT_GT(accuracy(fitted(over(outer, base), train), fresh), least) << over(outer, base);
    }
  }
}

TEST(Dichotomies, number_of_questions_as_the_texts_count) {
  for (const std::size_t classes : {3U, 4U, 10U, 26U}) {
    const Dataset data = clouds(classes, classes * 4, 3);
    const auto count = static_cast<std::int64_t>(classes);
    EXPECT_EQ(fitted("one_vs_one(estimator=baseline)", data).fitted().at("problems").as_integer(),
              count * (count - 1) / 2);
    EXPECT_EQ(fitted("one_vs_rest(estimator=baseline)", data).fitted().at("problems").as_integer(),
              count);
    EXPECT_EQ(fitted("label_partition(strategy=nested, n_estimators=2, estimator=baseline)", data)
                  .fitted()
                  .at("problems")
                  .as_integer(),
              2 * (count - 1));
  }
}

TEST(Dichotomies, one_and_two_classes_need_no_and_one_question) {
  for (const std::string outer : kAll) {
    const Dataset two = clouds(2, 40, 4);
    const AnyModel model = fitted(over(outer, "naive_bayes"), two);
    EXPECT_GT(accuracy(model, two), 0.9) << outer;
    const std::size_t questions = model.fitted().find("problems") != nullptr
                                      ? model.fitted().at("problems").as_integer()
                                      : model.fitted().at("bits").as_integer();
    EXPECT_EQ(questions, 1U) << outer;
    const Dataset one = clouds(1, 10, 5);
    EXPECT_EQ(accuracy(fitted(over(outer, "naive_bayes"), one), one), 1) << outer;
  }
}

TEST(Dichotomies, a_class_without_rows_is_never_the_answer) {
  const Dataset data = clouds(3, 30, 6);
  FitOptions options{.target = {"y"}, .classes = {"c0", "c1", "c2", "c3"}};
  for (const std::string outer : {"one_vs_rest", "one_vs_one", "label_partition"}) {
    const AnyModel model = fit(parse_learner(over(outer, "naive_bayes")), data, options);
    const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
    for (std::size_t i = 0; i < said.rows; ++i) EXPECT_NE(said.label(i), 3U) << outer;
    EXPECT_EQ(from_bytes(to_bytes(model)).fingerprint(), model.fingerprint());
  }
}

TEST(Dichotomies, the_base_decides_whether_numbers_are_probabilities) {
  EXPECT_TRUE(AnyLearner("one_vs_rest").info().gives.has(Give::probabilities));
  EXPECT_FALSE(
      parse_learner("one_vs_rest(estimator=one_vs_one)").info().gives.has(Give::probabilities));
  EXPECT_TRUE(
      parse_learner("label_partition(strategy=nested)").info().gives.has(Give::probabilities));
  const Dataset data = clouds(3, 60, 7);
  const AnyModel margins = fitted("one_vs_rest(estimator=one_vs_one(estimator=lda))", data);
  EXPECT_FALSE(margins.predict(data, {}, {.extra = Extra::ignore}).probabilities);
  EXPECT_GT(accuracy(margins, data), 0.5);
}

TEST(OneVsRest, shares_the_probabilities_of_its_questions) {
  const Dataset data = clouds(3, 90, 8);
  const auto model = fit(OneVsRest{.estimator = NaiveBayes{}}, data, "y");
  const double row[] = {1.0, 0.5};
  double answers[3];
  model.model().questions.answers(RowBlock{row, 1, 2}, answers);
  double out[3];
  model.predict_row(row, out);
  const double sum = answers[0] + answers[1] + answers[2];
  for (std::size_t c = 0; c < 3; ++c) EXPECT_DOUBLE_EQ(out[c], answers[c] / sum);
}

TEST(OneVsRest, of_two_classes_is_the_base_itself) {
  const Dataset data = clouds(2, 60, 9);
  const PredictOptions ignore{.extra = Extra::ignore};
  const std::vector<double> meta =
      fitted("one_vs_rest(estimator=lda)", data).predict(data, {}, ignore).values;
  const std::vector<double> alone = fitted("lda", data).predict(data, {}, ignore).values;
  ASSERT_EQ(meta.size(), alone.size());
  for (std::size_t i = 0; i < meta.size(); ++i) EXPECT_NEAR(meta[i], alone[i], 1e-15);
}

TEST(OneVsOne, learns_a_pair_from_its_own_rows_alone) {
  const Dataset data = clouds(3, 90, 10);
  const auto model = fit(OneVsOne{.estimator = Lda{}}, data, "y");
  std::vector<std::size_t> rows;  // of classes 0 and 2: the second pair
  for (std::size_t i = 0; i < data.rows(); ++i) {
    if (data.column("y").code(i) != 1) rows.push_back(i);
  }
  const AnyModel pair = fit(Lda{}, data.take(rows), "y");
  const double row[] = {0.3, -0.2};
  double answers[3];
  double alone[2];
  model.model().questions.answers(RowBlock{row, 1, 2}, answers);
  pair.predict_row(row, alone);
  EXPECT_DOUBLE_EQ(answers[1], alone[1]);
}

TEST(OneVsOne, counts_votes_and_settles_ties_by_confidence) {
  Dichotomies questions;
  questions.classes = 3;
  questions.probabilities = true;
  questions.code = {-1, 1, 0, -1, 0, 1, 0, -1, 1};
  questions.only = {0, 0, 0};
  questions.models.resize(3);
  double numbers[3];
  // The votes of the texts: A beats B, C beats A... B has two votes.
  count_votes(questions, std::vector<double>{0.9, 0.2, 0.1}, numbers);
  EXPECT_EQ(winner(numbers), 1U);
  EXPECT_NEAR(numbers[1], 2 + 1.6 / (3 * 2.6), 1e-12);
  // A beats B, B beats C, C beats A: C is surest.
  count_votes(questions, std::vector<double>{0.4, 0.95, 0.45}, numbers);
  EXPECT_EQ(winner(numbers), 2U);
  EXPECT_LT(numbers[2], 1.5);
}

TEST(CodeMatrix, knows_the_least_distance_of_two_words) {
  const Ecoc exhaustive{.code = EcocCode::exhaustive};
  for (const std::size_t classes : {2U, 3U, 4U, 7U}) {
    const CodeMatrix code = exhaustive.code_for(classes);
    EXPECT_EQ(code.problems(), (std::size_t{1} << (classes - 1)) - 1);
    EXPECT_EQ(code.least_distance(), std::size_t{1} << (classes - 2));
  }
}

TEST(Ecoc, the_exhaustive_words_of_four_classes_are_those_of_the_text) {
  const AnyModel model = fitted("ecoc(code=exhaustive, estimator=baseline)", clouds(4, 40, 11));
  const Value words = model.fitted().at("codewords");
  EXPECT_EQ(words.at("c0"), Value("1111111"));
  EXPECT_EQ(words.at("c1"), Value("0000111"));
  EXPECT_EQ(words.at("c2"), Value("0011001"));
  EXPECT_EQ(words.at("c3"), Value("0101010"));
  EXPECT_EQ(model.fitted().at("least_distance").as_integer(), 4);
  EXPECT_EQ(model.fitted().at("correctable").as_integer(), 1);
}

// A model without questions learned: only its code and its decoding.
EcocModel text_example(EcocDecoding decoding, EcocLoss loss) {
  EcocModel model;
  model.decoding = decoding;
  model.loss = loss;
  model.questions.classes = 4;
  model.questions.probabilities = true;
  const char* const words[] = {"1111111", "0000111", "0011001", "0101010"};
  for (std::size_t p = 0; p < 7; ++p) {
    for (const char* word : words) model.questions.code.push_back(word[p] == '1' ? 1 : -1);
  }
  model.questions.models.resize(7);
  model.questions.only.assign(7, 0);
  return model;
}

TEST(Ecoc, decodes_the_answers_of_the_text_to_the_nearest_word) {
  const std::vector<double> answers = {0, 0, 0, 1, 0, 1, 0};
  double numbers[4];
  text_example(EcocDecoding::hamming, EcocLoss::logistic).decode(answers, numbers);
  EXPECT_THAT(numbers, ElementsAre(-5, -3, -3, -1));
  // Squared loss of certain answers is four for every wrong bit.
  text_example(EcocDecoding::loss, EcocLoss::squared).decode(answers, numbers);
  EXPECT_THAT(numbers, ElementsAre(-20, -12, -12, -4));
  for (const EcocLoss loss : {EcocLoss::logistic, EcocLoss::exponential, EcocLoss::hinge}) {
    text_example(EcocDecoding::loss, loss).decode(answers, numbers);
    EXPECT_EQ(winner(numbers), 3U);
  }
}

TEST(Ecoc, logistic_loss_is_minus_the_log_likelihood_of_the_word) {
  const std::vector<double> answers = {0.9, 0.2, 0.6, 0.5, 0.7, 0.1, 0.3};
  double numbers[4];
  text_example(EcocDecoding::loss, EcocLoss::logistic).decode(answers, numbers);
  double likelihood = 1;
  for (const double p : answers) likelihood *= p;  // the word of all ones
  EXPECT_NEAR(std::exp(numbers[0]), likelihood, 1e-12);
}

TEST(Ecoc, a_bit_that_is_unsure_counts_little) {
  // One sure bit against two that hardly are: Hamming follows the two, the loss the one.
  EcocModel model;
  model.questions.classes = 2;
  model.questions.probabilities = true;
  model.questions.code = {1, -1, 1, -1, 1, -1};
  model.questions.models.resize(3);
  model.questions.only.assign(3, 0);
  const std::vector<double> answers = {0.999, 0.49, 0.49};
  double numbers[2];
  model.decoding = EcocDecoding::hamming;
  model.decode(answers, numbers);
  EXPECT_EQ(winner(numbers), 1U);
  model.decoding = EcocDecoding::loss;
  model.decode(answers, numbers);
  EXPECT_EQ(winner(numbers), 0U);
}

TEST(Ecoc, a_dot_leaves_a_class_out_of_a_question) {
  const Dataset data = clouds(3, 60, 12);
  const auto model =
      fit(Ecoc{.estimator = Lda{}, .code = EcocCode::given, .codewords = {"0.1", "10.", ".10"}},
          data, "y");
  EXPECT_EQ(model.fitted().at("codewords").at("c0"), Value("0.1"));
  const auto pairs = fit(OneVsOne{.estimator = Lda{}}, data, "y");
  const double row[] = {0.4, 0.1};
  double bits[3];
  double votes[3];
  model.model().questions.answers(RowBlock{row, 1, 2}, bits);
  pairs.model().questions.answers(RowBlock{row, 1, 2}, votes);
  EXPECT_DOUBLE_EQ(bits[0], votes[0]);
}

TEST(Ecoc, random_words_are_far_apart_and_follow_the_seed) {
  const CodeMatrix code = Ecoc{.code_size = 2}.code_for(8);
  EXPECT_EQ(code.problems(), 16U);
  EXPECT_GE(code.least_distance(), 5U);
  EXPECT_EQ(code.sides(), (Ecoc{.code_size = 2}.code_for(8).sides()));
  EXPECT_NE(code.sides(), (Ecoc{.code_size = 2, .random_state = 1}.code_for(8).sides()));
}

std::string refusal(const std::string& text, const Dataset& data) {
  try {
    fitted(text, data);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  return "";
}

TEST(Ecoc, refuses_words_that_are_no_code) {
  const Dataset data = clouds(3, 30, 13);
  const auto words = [&](const std::string& list) {
    return refusal("ecoc(estimator=lda, code=given, codewords=" + list + ")", data);
  };
  EXPECT_THAT(words("[\"10\", \"01\"]"), HasSubstr("one for each of the 3 classes (got 2)"));
  EXPECT_THAT(words("[\"10\", \"01\", \"1\"]"), HasSubstr("of equal length"));
  EXPECT_THAT(words("[\"10\", \"01\", \"1x\"]"), HasSubstr("of 0, 1 and dots"));
  EXPECT_THAT(words("[\"10\", \"11\", \"1.\"]"), HasSubstr("bit 1 of the codewords is the same"));
  EXPECT_THAT(refusal("ecoc(estimator=lda, code=exhaustive)", clouds(12, 60, 14)),
              HasSubstr("at most 11 classes (got 12)"));
}

TEST(LabelPartition, gives_every_class_of_a_chosen_group_a_vote) {
  Dichotomies questions;
  questions.classes = 4;
  questions.probabilities = true;
  questions.code = {1, 1, -1, -1, 1, -1, 1, -1, -1, 1, 1, -1};  // {a,b}, {a,c}, {b,c}
  questions.models.resize(3);
  questions.only.assign(3, 0);
  double numbers[4];
  count_votes(questions, std::vector<double>{1, 1, 0}, numbers);
  EXPECT_EQ(winner(numbers), 0U);
  EXPECT_NEAR(numbers[0], 3 + 3.0 / 12, 1e-12);  // three votes, and all that confidence adds
  for (const std::size_t c : {1U, 2U, 3U}) EXPECT_NEAR(numbers[c], 1, 0.5);
}

TEST(LabelPartition, takes_the_divisions_that_it_is_given) {
  const Dataset data = clouds(4, 80, 15);
  const auto model =
      fit(LabelPartition{.estimator = NaiveBayes{}, .partitions = {"c0|c1", "c0|c2", "c1|c2"}},
          data, "y");
  const Value groups = model.fitted().at("partitions");
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(to_json(groups.as_array()[1].at("first")), R"(["c0","c2"])");
  EXPECT_THAT(refusal("label_partition(partitions=[\"c0|cx\"])", data),
              HasSubstr("partitions must name classes"));
  EXPECT_THAT(refusal("label_partition(partitions=[\"c0|c1|c2|c3\"])", data),
              HasSubstr("leave classes for the second group"));
  EXPECT_THAT(refusal("label_partition(strategy=nested, partitions=[\"c0\"])", data),
              HasSubstr("partitions are for strategy=vote"));
}

TEST(LabelPartition, asks_only_divisions_that_differ) {
  // Three classes can be halved in three ways, whatever is wanted.
  const AnyModel model = fitted("label_partition(estimator=baseline)", clouds(3, 30, 16));
  EXPECT_EQ(model.fitted().at("problems").as_integer(), 3);
  EXPECT_EQ(fitted("label_partition(estimator=baseline, n_estimators=12)", clouds(26, 104, 17))
                .fitted()
                .at("problems")
                .as_integer(),
            12);
}

TEST(LabelPartition, nested_divisions_multiply_along_the_path) {
  LabelPartitionModel model;
  model.strategy = PartitionStrategy::nested;
  model.trees = 1;
  model.tree = {0, 0};
  model.questions.classes = 3;
  model.questions.probabilities = true;
  model.questions.code = {1, -1, -1, 0, 1, -1};  // a | b c, then b | c
  model.questions.models.resize(2);
  model.questions.only.assign(2, 0);
  double numbers[3];
  model.decode(std::vector<double>{0.25, 0.6}, numbers);
  EXPECT_NEAR(numbers[0], 0.25, 1e-15);
  EXPECT_NEAR(numbers[1], 0.75 * 0.6, 1e-15);
  EXPECT_NEAR(numbers[2], 0.75 * 0.4, 1e-15);
}

TEST(Dichotomies, tells_every_question_and_the_verdict) {
  const Dataset data = clouds(3, 30, 18);
  for (const std::string outer : kAll) {
    Recorder trace;
    Context context;
    context.trace = &trace;
    const AnyModel model =
        fit(parse_learner(over(outer, "naive_bayes")), data, {.target = {"y"}}, context);
    EXPECT_THAT(trace.steps().front().title, HasSubstr(" against ")) << outer;
    bool nested = false;
    for (const Step& step : trace.steps()) nested = nested || step.path.starts_with("problem 1/");
    EXPECT_TRUE(nested) << outer;
    Recorder row;
    model.explain_row(data, 4, row);
    const Predictions said = model.predict(data, {}, {.extra = Extra::ignore});
    EXPECT_EQ(row.steps().back().values.at("prediction").as_string(), said.classes[said.label(4)])
        << outer;
  }
}

TEST(OneVsRest, splits_up_what_the_question_of_each_class_says) {
  const Dataset data = clouds(3, 90, 21);
  const PredictOptions ignore{.extra = Extra::ignore};
  const Fitted<OneVsRest> model(fitted("one_vs_rest(estimator=decision_tree(max_depth=3))", data));
  EXPECT_FALSE(model.core().contributes_answers());
  const Contributions parts = model.contributions(data, {}, ignore);
  ASSERT_EQ(parts.scores, 3U);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double cells[] = {data.column("a").number(row), data.column("b").number(row)};
    double said[3];
    model.model().questions.answers(RowBlock{cells, 1, 2}, said);
    for (std::size_t c = 0; c < 3; ++c) {
      const double* mine = parts.values.data() + (row * 3 + c) * 3;
      EXPECT_NEAR(mine[0] + mine[1] + mine[2], said[c], 1e-12);
    }
  }
}

TEST(OneVsRest, of_two_classes_splits_up_the_answers_themselves) {
  const Dataset data = clouds(2, 60, 22);
  const PredictOptions ignore{.extra = Extra::ignore};
  const AnyModel model = fitted("one_vs_rest(estimator=decision_tree(max_depth=3))", data);
  EXPECT_TRUE(model.core().contributes_answers());
  const Contributions parts = model.contributions(data, {}, ignore);
  const std::vector<double> answers = model.predict(data, {}, ignore).values;
  for (std::size_t at = 0; at < answers.size(); ++at) {
    const double* mine = parts.values.data() + at * 3;
    EXPECT_NEAR(mine[0] + mine[1] + mine[2], answers[at], 1e-12);
  }
  // Logarithms of odds are split up as such: what is for one class is against the other.
  const AnyModel boosted = fitted("one_vs_rest(estimator=logitboost(n_estimators=3))", data);
  EXPECT_FALSE(boosted.core().contributes_answers());
  const Contributions odds = boosted.contributions(data, {}, ignore);
  const std::vector<double> said = boosted.predict(data, {}, ignore).values;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double* no = odds.values.data() + row * 6;
    const double* yes = no + 3;
    for (std::size_t j = 0; j < 3; ++j) EXPECT_DOUBLE_EQ(no[j], -yes[j]);
    const double score = yes[0] + yes[1] + yes[2];
    EXPECT_NEAR(said[2 * row + 1], 1 / (1 + std::exp(-2 * score)), 1e-9);
  }
}

TEST(Dichotomies, show_the_trees_of_their_questions_and_how_they_use_the_columns) {
  const Dataset data = clouds(4, 80, 23);
  for (const char* text : {"one_vs_rest", "one_vs_one", "ecoc(code_size=4)", "label_partition"}) {
    AnyLearner learner(parse_learner(text));
    learner.set_text("estimator", "decision_tree(max_depth=2)");
    const AnyModel model = fit(learner, data, {.target = {"y"}});
    ASSERT_GT(model.trees(), 0U) << text;
    double splits = 0;
    for (std::size_t i = 0; i < model.trees(); ++i) {
      EXPECT_TRUE(model.tree(i).is_object()) << text;
    }
    const auto use = model.core().feature_use(model.signature());
    ASSERT_TRUE(use) << text;
    for (const double x : use->splits) splits += x;
    EXPECT_GT(splits, 0) << text;
    EXPECT_EQ(use->gains.size(), 2U) << text;
    if (std::string(text) != "one_vs_rest") {
      EXPECT_THROW(model.require_contributions(), Error) << text;
    }
    learner.set_text("estimator", "logistic_regression");
    EXPECT_EQ(fit(learner, data, {.target = {"y"}}).trees(), 0U) << text;
  }
}

}  // namespace
}  // namespace gradus
