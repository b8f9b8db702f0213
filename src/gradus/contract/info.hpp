// What a learner is and what it can do, declared as data. Generic code (adapters, the command,
// Python, the conformance suite) acts on the declaration and never probes signatures.
#pragma once

#include <cstdint>
#include <string_view>

namespace gradus {

enum class Task : std::uint8_t { classify, regress, cluster };
std::string_view task_word(Task task);  // "classification", "regression", "clustering"

// A set of flags of one enum: `numeric | missing`.
template <class Flag>
struct Flags {
  std::uint32_t bits = 0;
  constexpr Flags() = default;
  constexpr Flags(Flag flag) : bits(1U << static_cast<unsigned>(flag)) {}
  constexpr bool has(Flag flag) const { return (bits >> static_cast<unsigned>(flag)) & 1U; }
  friend constexpr Flags operator|(Flags a, Flags b) {
    Flags both;
    both.bits = a.bits | b.bits;
    return both;
  }
  friend constexpr Flags operator&(Flags a, Flags b) {
    Flags common;
    common.bits = a.bits & b.bits;
    return common;
  }
  constexpr Flags without(Flag flag) const {
    Flags rest;
    rest.bits = bits & ~Flags(flag).bits;
    return rest;
  }
};

// What a learner takes as it is. What it does not take, the adapters turn into something it takes
// (nominal columns into numbers, missing cells into imputed ones) or refuse with a reason.
enum class Accept : std::uint8_t {
  numeric,                // numeric columns
  nominal,                // categories as codes
  ordinal,                // ordered categories as their places: 0, 1, 2 ..., which have names
  missing,                // missing cells, as NaN
  sparse,                 // CSR rows
  weights,                // row weights
  many_outputs,           // several numeric targets at once
  no_features,            // works also when there is no feature at all
  missing_at_prediction,  // as NaN when it predicts; in training they are imputed
  validation              // rows of the user's own that examine it while it learns
};
constexpr Flags<Accept> operator|(Accept a, Accept b) { return Flags<Accept>(a) | b; }

enum class Give : std::uint8_t {
  probabilities,  // classification output rows are probabilities that sum to 1 (else scores)
  incremental,    // can go on with new rows (partial_fit)
  explains_fit,   // emits steps while fitting
  explains_row,   // emits steps for one prediction
  same_answer,    // answers every row alike: a yardstick, whose score is poor by design
  transforms,     // turns a row into new coordinates (distances, components, ...)
  outliers,       // cluster 1 holds the rows that stand apart; the first coordinate says how much
  partial         // hands out what it has so far when it is stopped
};
constexpr Flags<Give> operator|(Give a, Give b) { return Flags<Give>(a) | b; }
constexpr Flags<Task> operator|(Task a, Task b) { return Flags<Task>(a) | b; }

// How the adapters turn a nominal column into numbers for a learner that takes numbers only.
enum class Encoding : std::uint8_t {
  one_hot,  // one 0/1 column per level
  dummy,    // as one_hot without the first level, the reference (what R's lm does)
  ordinal,  // the index of the level
  target    // the smoothed mean of the target for the level
};
std::string_view encoding_word(Encoding encoding);

// Something that a fit learns, under its textbook name (a member of `fitted()`): the reference and
// the attributes of the Python class are written from it.
struct Quantity {
  std::string_view name;
  std::string_view doc;  // one sentence
};

struct Info {
  std::string_view name;     // "naive_bayes": the same in C++, command, Python and docs
  std::string_view family;   // the folder: "bayes"
  std::string_view summary;  // one sentence
  Flags<Task> tasks;
  Flags<Accept> accepts;
  Flags<Give> gives;
  Encoding encode = Encoding::one_hot;
};

}  // namespace gradus
