// Making the words; the questions are fitted by the shared engine.
#include <fmt/format.h>

#include <algorithm>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/meta/ecoc/model.hpp"
#include "gradus/models/meta/inner_task.hpp"

namespace gradus {
namespace {

// An exhaustive code has 2^(K-1) - 1 bits.
constexpr std::size_t kMostExhaustive = 11;

// Draws of a random code, of which the one with the largest least distance is taken.
constexpr std::uint64_t kDraws = 200;

[[noreturn]] void refuse(const char* where, const std::string& message, const std::string& hint) {
  throw Error(ErrorKind::usage, where, message, hint);
}

// Row 1 is all ones; row i has runs of 2^(K-i) zeros and ones (Dietterich and Bakiri).
CodeMatrix exhaustive(std::size_t classes) {
  CodeMatrix code(classes);
  const std::size_t bits = (std::size_t{1} << (classes - 1)) - 1;
  for (std::size_t j = 0; j < bits; ++j) {
    std::vector<std::int32_t> sides(classes, 1);
    for (std::size_t c = 1; c < classes; ++c) {
      sides[c] = ((j >> (classes - 1 - c)) & 1U) != 0 ? 1 : -1;
    }
    code.add(sides);
  }
  return code;
}

// One draw: every question has classes on both sides.
CodeMatrix drawn(std::size_t classes, std::size_t bits, Stream stream) {
  CodeMatrix code(classes);
  while (code.problems() < bits) {
    std::vector<std::int32_t> sides(classes);
    for (std::int32_t& side : sides) side = stream.below(2) == 0 ? -1 : 1;
    if (std::equal(sides.begin() + 1, sides.end(), sides.begin())) continue;
    code.add(sides);
  }
  return code;
}

CodeMatrix best_of_draws(std::size_t classes, std::size_t bits, Seed seed) {
  CodeMatrix best = drawn(classes, bits, Stream(seed, 0));
  std::size_t reached = best.least_distance();
  for (std::uint64_t i = 1; i < kDraws; ++i) {
    CodeMatrix other = drawn(classes, bits, Stream(seed, i));
    const std::size_t distance = other.least_distance();
    if (distance <= reached) continue;
    reached = distance;
    best = std::move(other);
  }
  return best;
}

CodeMatrix from_words(const std::vector<std::string>& words) {
  CodeMatrix code(words.size());
  for (std::size_t p = 0; p < words.front().size(); ++p) {
    std::vector<std::int32_t> sides;
    for (const std::string& word : words) {
      sides.push_back(word[p] == '1' ? 1 : word[p] == '0' ? -1 : 0);
    }
    code.add(sides);
  }
  return code;
}

void check_words(const std::vector<std::string>& words, std::size_t classes) {
  constexpr const char* kWhere = "--codewords";
  if (words.size() != classes) {
    refuse(kWhere,
           fmt::format("codewords must be one for each of the {} classes (got {})", classes,
                       words.size()),
           "such as 111,001,010");
  }
  for (const std::string& word : words) {
    if (word.empty() || word.size() != words.front().size()) {
      refuse(kWhere,
             fmt::format("codewords must be of equal length (got {} and {})",
                         in_quotes(words.front()), in_quotes(word)),
             "a dot leaves a class out of a question");
    }
    if (word.find_first_not_of("01.") != std::string::npos) {
      refuse(kWhere, fmt::format("codewords must be of 0, 1 and dots (got {})", in_quotes(word)),
             "");
    }
  }
  for (std::size_t p = 0; p < words.front().size(); ++p) {
    const auto has = [&](char bit) {
      return std::any_of(words.begin(), words.end(),
                         [&](const std::string& word) { return word[p] == bit; });
    };
    if (classes < 2 || (has('0') && has('1'))) continue;
    refuse(kWhere, fmt::format("bit {} of the codewords is the same for all classes", p + 1),
           "every question needs classes on both sides");
  }
}

}  // namespace

Info Ecoc::effective_info() const { return info_over(info, estimator.learner().info()); }

void Ecoc::check(const TrainTask& task) const {
  const std::size_t classes = task.signature.classes.size();
  if (code == EcocCode::given) check_words(codewords, classes);
  if (code == EcocCode::exhaustive && classes > kMostExhaustive) {
    refuse("--code",
           fmt::format("an exhaustive code is for at most {} classes (got {})", kMostExhaustive,
                       classes),
           "use --code random");
  }
}

CodeMatrix Ecoc::code_for(std::size_t classes) const {
  if (code == EcocCode::given) return from_words(codewords);
  if (classes < 2) return CodeMatrix(classes);
  // Two classes can be divided in one way only.
  if (code == EcocCode::exhaustive || classes == 2) return exhaustive(classes);
  const double wanted = std::min(code_size * static_cast<double>(classes), 1e6);
  return best_of_draws(classes, std::max<std::size_t>(1, static_cast<std::size_t>(wanted)),
                       random_state);
}

EcocModel Ecoc::fit(const TrainTask& task, const Context& context) const {
  const CodeMatrix words = code_for(task.signature.classes.size());
  EcocModel model;
  model.least_distance = static_cast<std::int64_t>(words.least_distance());
  model.decoding = decoding;
  model.loss = loss;
  model.questions = fit_dichotomies(estimator.learner(), words, task, context);
  if (context.trace != nullptr) {
    Step step{.title = "The code", .path = "code"};
    step.values = model.fitted(task.signature);
    step.formula = fmt::format(
        "least distance {}: corrects {} wrong", model.least_distance,
        counted(static_cast<std::size_t>(std::max<std::int64_t>(0, model.least_distance - 1) / 2),
                "bit"));
    step.text = "A row gets the class whose word is nearest to its answers.";
    context.trace->add(std::move(step));
  }
  return model;
}

}  // namespace gradus
