// A round of boosting for two classes: from the scores of rows to the words of their gradients
// (gradient_words.hpp) and to their loss, without a step in between.
//
// The score f of a row speaks for the class `said`: p = 1 / (1 + e^-f), g = w (p − [code = said]),
// h = w p (1 − p). Gradients are needed twice, to know how large they are and to be packed; the
// exponential is taken once, since p waits where the word will stand.
//
//   GradientSizes sizes = class_sizes(rows, words);   // words: the bits of p
//   class_words(rows, units, words);                  // words: words
#pragma once

#include <cstddef>
#include <cstdint>

#include "gradus/simd/gradient_words.hpp"

namespace gradus::simd {

struct ClassRows {
  const double* scores = nullptr;
  const std::int32_t* codes = nullptr;
  std::int32_t said = 1;
  const double* weights = nullptr;  // null: each weighs 1
  const double* times = nullptr;    // how often a row counts; null: once
  const double* active = nullptr;   // above 0 where a row takes part; null: all do
  std::size_t count = 0;
};

// Of the gradients and hessians; keeps the probabilities.
GradientSizes class_sizes(const ClassRows& rows, std::uint64_t* kept);

// What was kept becomes words; that of a row that does not take part is 0.
void class_words(const ClassRows& rows, const GradientUnits& units, std::uint64_t* kept);

// The sum of −ln of the probability of each row's own class, whatever rows weigh.
double class_loss(const ClassRows& rows);

namespace scalar {
GradientSizes class_sizes(const ClassRows& rows, std::uint64_t* kept);
void class_words(const ClassRows& rows, const GradientUnits& units, std::uint64_t* kept);
double class_loss(const ClassRows& rows);
}  // namespace scalar

}  // namespace gradus::simd
