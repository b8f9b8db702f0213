// Error-correcting output codes: every class is a word of bits, every bit a question.
//
// A classifier is fitted to each column of the code; a row is asked all questions, and the class
// whose word is nearest to the answers wins. Words that differ in d places survive (d - 1) / 2
// wrong answers (Dietterich and Bakiri 1995). Nearest is counted in wrong bits (Hamming), or by a
// loss of the margins f_p (Allwein, Schapire, Singer 2000):
//
//   class(x) = argmin_c Σ_p L(m_cp · f_p(x)),   m_cp = +1 or -1, the bit p of the word of c
//
//   auto model = fit(Ecoc{.code = EcocCode::exhaustive}, train, "species");
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/contract/learner.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/core/random.hpp"
#include "gradus/models/learner_choice.hpp"

namespace gradus {

struct EcocModel;
class CodeMatrix;

enum class EcocCode { random, exhaustive, given };
constexpr std::array<std::string_view, 3> enum_names(EcocCode) {
  return {"random", "exhaustive", "given"};
}

enum class EcocDecoding { hamming, loss };
constexpr std::array<std::string_view, 2> enum_names(EcocDecoding) { return {"hamming", "loss"}; }

enum class EcocLoss { logistic, exponential, hinge, squared };
constexpr std::array<std::string_view, 4> enum_names(EcocLoss) {
  return {"logistic", "exponential", "hinge", "squared"};
}

struct Ecoc {
  using Model = EcocModel;

  ClassifierChoice estimator = "logistic_regression";
  EcocCode code = EcocCode::random;
  double code_size = 1.5;
  std::vector<std::string> codewords = {};
  EcocDecoding decoding = EcocDecoding::loss;
  EcocLoss loss = EcocLoss::logistic;
  Seed random_state = 0;

  static constexpr Info info{
      .name = "ecoc",
      .family = "meta",
      .summary = "Gives every class a word of bits, learns each bit, and takes the nearest word.",
      .tasks = Task::classify,
      .accepts = Accept::numeric | Accept::sparse | Accept::weights,
      .gives = Give::explains_fit | Give::explains_row,
      .encode = Encoding::dummy};

  template <class L = Ecoc>
  static constexpr auto describe() {
    return Members{
        param(&L::estimator, "estimator", "The classifier that learns each bit.")
            .aka("base_estimator", "base"),
        param(&L::code, "code",
              "The words: random (the best of many draws), exhaustive (every way to divide the "
              "classes, up to 11 of them) or given."),
        param(&L::code_size, "code_size", "Bits of a random word, as a multiple of the classes.")
            .above(0)
            .when("code", "random")
            .tune(1, 5),
        param(&L::codewords, "codewords",
              "One word for each class in their order: 1 and 0 are the sides of a question, a dot "
              "leaves the class out.")
            .when("code", "given"),
        param(&L::decoding, "decoding",
              "What nearest means: fewest wrong bits (hamming) or the least loss of the margins."),
        param(&L::loss, "loss",
              "The loss of a margin; of probabilities logistic and exponential take the log odds, "
              "hinge and squared 2p - 1.")
            .when("decoding", "loss"),
        param(&L::random_state, "random_state", "Seed of the random words.").aka("seed")};
  }

  Info effective_info() const;
  void check(const TrainTask& task) const;
  Model fit(const TrainTask& task, const Context& context) const;

  // The words of the classes as questions.
  CodeMatrix code_for(std::size_t classes) const;
};

}  // namespace gradus
