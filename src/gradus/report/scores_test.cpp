#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gradus/report/render.hpp"
#include "gradus/report/scores.hpp"

namespace gradus::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ScoreBlocks, accuracy_stands_beside_its_baseline) {
  const Value scores = object(
      {{"n", 3},
       {"accuracy", 2.0 / 3},
       {"confusion", object({{"labels", Value(std::vector<std::string>{"a", "b"})},
                             {"counts", Value(Value::Array{Value(std::vector<double>{1, 0}),
                                                           Value(std::vector<double>{1, 1})})}})},
       {"per_class", object({{"a", object({{"precision", 0.5}, {"recall", 1.0}})}})},
       {"auc", nullptr},
       {"brier", nullptr},
       {"undefined", object({{"auc", "one class only"}})},
       {"majority_baseline", 0.5}});
  Document page;
  page.add(score_blocks(scores));
  const std::string text = render_text(page);
  EXPECT_THAT(text, HasSubstr("0.6667   always the largest class: 0.5"));
  EXPECT_THAT(text, HasSubstr("auc       undefined: one class only"));
  EXPECT_THAT(text, Not(HasSubstr("brier"))) << "nothing says why it is not there";
  EXPECT_THAT(text, HasSubstr("b  1  1"));
}

TEST(ScoreBlocks, error_of_numbers_stands_beside_the_error_of_the_mean) {
  const Value scores = object({{"rmse", 2.0}, {"r2", nullptr}, {"mean_baseline_rmse", 4.0}});
  EXPECT_EQ(headline(scores), "2   always the mean: 4");
}

// Classes c0, c1, …: class k has k + 1 rows, and `wrong` of the last are taken for the first.
Value many_classes(std::size_t classes, double wrong) {
  Value labels = Value(Value::Array{});
  Value counts = Value(Value::Array{});
  Value per_class = object();
  for (std::size_t k = 0; k < classes; ++k) {
    const std::string name = "c" + std::to_string(k);
    const double support = 1000.0 * static_cast<double>(k + 1);
    std::vector<double> row(classes, 0.0);
    row[k] = support;
    if (k + 1 == classes) {
      row[k] -= wrong;
      row[0] += wrong;
    }
    labels.push_back(name);
    counts.push_back(Value(row));
    per_class[name] =
        object({{"precision", 1.0}, {"recall", 1.0}, {"f1", 1.0}, {"support", support}});
  }
  return object({{"accuracy", 1.0},
                 {"confusion", object({{"labels", labels}, {"counts", counts}})},
                 {"per_class", per_class}});
}

std::string text_of(const Value& scores) {
  Document page;
  page.add(score_blocks(scores));
  return render_text(page);
}

TEST(ScoreBlocks, of_very_many_classes_the_largest_are_shown_and_the_rest_counted) {
  const std::string text = text_of(many_classes(50, 0));
  EXPECT_THAT(text, HasSubstr("the 40 largest of 50 classes"));
  EXPECT_THAT(text, HasSubstr("c49"));
  EXPECT_THAT(text, HasSubstr("50000")) << "rows are counted to the last one";
  EXPECT_THAT(text, HasSubstr("c10 "));
  EXPECT_THAT(text, Not(HasSubstr("c9 ")));
  EXPECT_THAT(text, HasSubstr("… and 10 more"));
  EXPECT_THAT(text_of(many_classes(40, 0)), Not(HasSubstr("largest of")));
}

TEST(ScoreBlocks, a_matrix_that_no_screen_holds_gives_way_to_the_most_confused_pairs) {
  const std::string text = text_of(many_classes(13, 6500));
  EXPECT_THAT(text, HasSubstr("most often taken for another"));
  EXPECT_THAT(text, HasSubstr("c12    c0          6500                 0.5"));
  EXPECT_THAT(text_of(many_classes(13, 0)), Not(HasSubstr("taken for another")))
      << "nothing was confused";
  EXPECT_THAT(text_of(many_classes(12, 500)), HasSubstr("confusion matrix"));
}

}  // namespace
}  // namespace gradus::report
