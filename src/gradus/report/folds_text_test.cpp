#include "gradus/report/folds_text.hpp"

#include <gtest/gtest.h>

namespace gradus::report {
namespace {

TEST(FoldsText, says_how_many_folds_of_which_kind) {
  Folds folds;
  folds.how.scheme = FoldScheme::stratified;
  folds.folds.resize(10);
  EXPECT_EQ(folds_text(folds), "10 stratified folds");
  folds.how.scheme = FoldScheme::five_by_two;
  EXPECT_EQ(folds_text(folds), "5 times two halves");
  folds.how.scheme = FoldScheme::group;
  folds.how.column = "patient";
  EXPECT_EQ(folds_text(folds), "10 folds by patient");
}

}  // namespace
}  // namespace gradus::report
