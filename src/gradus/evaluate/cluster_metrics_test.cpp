// Expected numbers are those of scikit-learn.
#include "gradus/evaluate/cluster_metrics.hpp"

#include <gtest/gtest.h>

#include "gradus/evaluate/ndcg.hpp"

namespace gradus {
namespace {

using Codes = std::vector<std::int32_t>;
using Numbers = std::vector<double>;

Features features_of(Numbers x, Numbers y) {
  const std::size_t rows = x.size();
  return Features(
      rows, {{Column::numeric("x", std::move(x)), {}}, {Column::numeric("y", std::move(y)), {}}});
}

TEST(ClusterShape, two_round_clusters) {
  const Features features = features_of({0, 0, 1, 5, 5, 6}, {0, 1, 0, 5, 6, 5});
  const ClusterShape out = cluster_shape(features, Codes{0, 0, 0, 1, 1, 1});
  EXPECT_NEAR(*out.silhouette, 0.8398163312586742, 1e-12);
  EXPECT_NEAR(*out.davies_bouldin, 0.18499011822970618, 1e-12);
  EXPECT_NEAR(*out.calinski_harabasz, 112.5, 1e-10);
  EXPECT_EQ(out.silhouette_rows, 6U);
}

TEST(ClusterShape, a_weight_of_two_is_a_row_written_twice) {
  const ClusterShape weighted = cluster_shape(features_of({0, 1, 5, 7}, {0, 1, 5, 5}),
                                              Codes{0, 0, 1, 1}, Numbers{2, 1, 1, 2});
  const ClusterShape repeated =
      cluster_shape(features_of({0, 0, 1, 5, 7, 7}, {0, 0, 1, 5, 5, 5}), Codes{0, 0, 0, 1, 1, 1});
  EXPECT_NEAR(*weighted.silhouette, *repeated.silhouette, 1e-14);
  EXPECT_NEAR(*weighted.davies_bouldin, *repeated.davies_bouldin, 1e-14);
  EXPECT_NEAR(*weighted.calinski_harabasz, *repeated.calinski_harabasz, 1e-12);
}

TEST(ClusterShape, one_cluster_has_no_shape_and_says_why) {
  const ClusterShape out = cluster_shape(features_of({0, 1}, {0, 1}), Codes{3, 3});
  EXPECT_FALSE(out.silhouette || out.davies_bouldin || out.calinski_harabasz);
  EXPECT_EQ(out.undefined.size(), 3U);
}

TEST(ClusterAgreement, against_known_classes) {
  const ClusterAgreement out =
      cluster_agreement(Codes{0, 0, 1, 2, 2, 1, 0, 2}, Codes{0, 0, 1, 1, 2, 1, 1, 2});
  EXPECT_NEAR(out.adjusted_rand, 0.18181818181818182, 1e-14);
  EXPECT_NEAR(out.rand, 0.6785714285714286, 1e-14);
  EXPECT_NEAR(out.mutual_information, 0.5623351446188083, 1e-14);
  EXPECT_NEAR(out.normalized_mutual_information, 0.5300257549140327, 1e-14);
  EXPECT_NEAR(out.homogeneity, 0.5196243460723442, 1e-14);
  EXPECT_NEAR(out.completeness, 0.5408520829727553, 1e-14);
  EXPECT_DOUBLE_EQ(out.purity, 0.75);
}

TEST(ClusterAgreement, other_names_for_the_same_clusters_agree_fully) {
  const ClusterAgreement out = cluster_agreement(Codes{0, 0, 1, 2}, Codes{7, 7, 2, 9});
  EXPECT_DOUBLE_EQ(out.adjusted_rand, 1);
  EXPECT_DOUBLE_EQ(out.normalized_mutual_information, 1);
  EXPECT_DOUBLE_EQ(out.purity, 1);
}

TEST(Ndcg, ties_share_the_mean_relevance) {
  const Numbers relevance = {3, 2, 0, 1};
  const Numbers scores = {.1, .9, .8, .1};
  EXPECT_NEAR(*ndcg(relevance, scores), 0.8108918607016135, 1e-14);
  EXPECT_NEAR(*ndcg(relevance, scores, 2), 0.46927872602275655, 1e-14);
  EXPECT_FALSE(ndcg(Numbers{0, 0}, Numbers{1, 2}));
}

}  // namespace
}  // namespace gradus
