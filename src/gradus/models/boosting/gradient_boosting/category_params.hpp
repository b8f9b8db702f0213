// What gradient boosting does with nominal columns.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "gradus/core/describe.hpp"

namespace gradus {

enum class CategoryUse { automatic, subsets, ordered_statistics };
constexpr std::array<std::string_view, 3> enum_names(CategoryUse) {
  return {"auto", "subsets", "ordered_statistics"};
}

struct BoostingCategories {
  CategoryUse categories = CategoryUse::automatic;
  int max_subset_levels = 32;
  double statistic_prior = 1;
  int statistic_orders = 4;
  double category_smoothing = 10;
  double category_l2 = 10;
  int min_samples_category = 1;
  std::optional<int> max_category_set = {};

  template <class C = BoostingCategories>
  static constexpr auto describe() {
    return Members{
        param(
            &C::categories, "categories",
            "How a nominal column is asked for: by subsets of its categories (subsets), or by the "
            "mean target of each category, a training row's taken from rows before it in a "
            "random order alone (ordered_statistics); auto: by their number."),
        param(&C::max_subset_levels, "max_subset_levels",
              "Most categories of a column that auto asks for by subsets.")
            .at_least(1)
            .aka("one_hot_max_size")
            .when("categories", "auto"),
        param(&C::statistic_prior, "statistic_prior",
              "How many rows the overall mean counts for in the statistic of a category.")
            .at_least(0),
        param(&C::statistic_orders, "statistic_orders",
              "Random orders of the rows for the statistics; the rounds take them by turns.")
            .at_least(1),
        param(&C::category_smoothing, "category_smoothing",
              "Categories are put in the order of G/(H + this) before they are cut into two "
              "subsets.")
            .at_least(0)
            .aka("cat_smooth"),
        param(&C::category_l2, "category_l2",
              "Added to l2_regularization where the gain of a question for a subset is measured.")
            .at_least(0)
            .aka("cat_l2"),
        param(&C::min_samples_category, "min_samples_category",
              "Fewest rows of the categories by which two subsets that are tried differ.")
            .at_least(1)
            .aka("min_data_per_group"),
        param(&C::max_category_set, "max_category_set",
              "Most categories on the smaller side of a question; none: any number.")
            .at_least(1)
            .aka("max_cat_threshold")};
  }
};

}  // namespace gradus
