#include "gradus/models/bayes/naive_bayes/tables.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "gradus/api/fit.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/bayes/naive_bayes/model.hpp"
#include "gradus/simd/kernels.hpp"

namespace gradus {
namespace {

// Sparse counts of 300 words, most of which a class never saw.
Dataset rare_words() {
  CsrArrays counts;
  counts.cols = 300;
  std::vector<std::int32_t> codes;
  for (std::uint64_t row = 0; row < 60; ++row) {
    Stream stream(17, row);
    codes.push_back(static_cast<std::int32_t>(row % 7));
    for (std::uint32_t word = 0; word < 300; ++word) {
      if (stream.below(40) != 0) continue;
      counts.add(word, 1 + static_cast<double>(stream.below(3)));
    }
    counts.end_row();
  }
  const Column target = Column::nominal("y", std::move(codes), {"a", "b", "c", "d", "e", "f", "g"});
  return Dataset({target}).with_sparse({std::make_shared<CsrMatrix>(std::move(counts)), "x", 0});
}

TEST(NaiveBayes, every_logarithm_is_that_of_its_frequency_also_of_events_never_seen) {
  for (const auto estimate : {FrequencyEstimate::laplace, FrequencyEstimate::m_estimate}) {
    const NaiveBayes learner{.estimate = estimate, .numeric_model = NumericEvent::multinomial};
    const auto fitted = fit(learner, rare_words(), "y");
    const NaiveBayesModel& model = fitted.model();
    const EventFrequencies frequencies(model);
    for (std::size_t word = 0; word < 300; ++word) {
      for (std::size_t label = 0; label < 7; ++label) {
        double expected = frequencies.at(word, label).value();
        simd::log(&expected, &expected, 1);
        EXPECT_EQ(model.tables.log_event[word * 7 + label], expected) << word << " " << label;
      }
    }
    for (const int threads : {1, 2, 8}) {
      const auto other = fit(learner, rare_words(), "y", Context{.threads = threads});
      EXPECT_EQ(other.fingerprint(), fitted.fingerprint());
    }
  }
}

}  // namespace
}  // namespace gradus
