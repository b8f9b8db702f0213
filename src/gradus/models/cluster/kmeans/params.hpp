// k-means clustering: k centres, every row belongs to the nearest, every centre is the mean of its
// rows.
//
// Lloyd's algorithm minimises the inertia sum_i w_i |x_i - c(i)|^2 by turns: assign each row to its
// nearest centre (ties to the lowest index), move each centre to the weighted mean of its rows. It
// ends when no row changes its cluster, or when the centres move by less than `tol`. The result is
// a local minimum that depends on the start; k-means++ (Arthur, Vassilvitskii 2007) spreads it.
//
//   auto model = fit(KMeans{.n_clusters = 3, .random_state = 7}, iris);
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"

namespace gradus {

struct KMeansModel;

enum class KMeansInit { plus_plus, random, given };
constexpr std::array<std::string_view, 3> enum_names(KMeansInit) {
  return {"k-means++", "random", "given"};
}

struct KMeans {
  using Init = KMeansInit;
  using Model = KMeansModel;

  int n_clusters = 8;
  Init init = Init::plus_plus;
  std::vector<double> centers = {};
  int n_init = 1;
  int max_iter = 300;
  double tol = 1e-4;
  Seed random_state = 0;

  static constexpr Info info{
      .name = "kmeans",
      .family = "cluster",
      .summary = "Groups rows around k centres, each the mean of the rows nearest to it.",
      .tasks = Task::cluster,
      .accepts = Accept::numeric | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row | Give::transforms | Give::partial,
      .encode = Encoding::one_hot};

  template <class L = KMeans>
  static constexpr auto describe() {
    return Members{
        param(&L::n_clusters, "n_clusters", "Number of clusters.")
            .at_least(1)
            .aka("k", "clusters")
            .tune(2, 20),
        param(&L::init, "init",
              "The start: k-means++ spreads the centres (the best of 2 + log k candidates for "
              "each), random takes rows, given takes the parameter centers."),
        param(&L::centers, "centers",
              "The first centres for init=given: n_clusters times the features, centre by centre.")
            .aka("init_centers")
            .when("init", "given"),
        param(&L::n_init, "n_init",
              "Number of starts; the result with the least inertia is kept. The default 1 is what "
              "scikit-learn's \"auto\" means for k-means++.")
            .at_least(1),
        param(&L::max_iter, "max_iter", "Most iterations of one start.").at_least(1),
        param(&L::tol, "tol",
              "Stop when the squared moves of the centres sum to no more than this times the mean "
              "variance of the features.")
            .at_least(0),
        param(&L::random_state, "random_state", "Seed of the start.").aka("seed")};
  }

  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;
};

}  // namespace gradus
