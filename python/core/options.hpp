// Options of gradus.evaluate: a JSON object, read member by member with a default for what is not
// there.
//
//   const Options in(json);
//   const std::size_t trials = in.count("trials", 40);
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/value.hpp"
#include "gradus/evaluate/metrics.hpp"

namespace gradus::python {

class Options {
 public:
  explicit Options(const std::string& json);

  std::string text(std::string_view name) const;
  double number(std::string_view name, double usual) const;
  std::optional<double> maybe(std::string_view name) const;
  std::size_t count(std::string_view name, std::size_t usual) const;
  bool flag(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  std::vector<double> numbers(std::string_view name) const;
  // The members of an object of numbers, in their order.
  std::vector<std::pair<std::string, double>> pairs(std::string_view name) const;
  // The position of a word among those allowed.
  std::size_t word(std::string_view name, const std::vector<std::string>& words,
                   std::size_t usual) const;

 private:
  const Value* given(std::string_view name) const;
  Value value_;
};

// How answers are decided and judged: positive, threshold, costs, beta, quantile, intervals, …
EvaluateOptions evaluate_options(const Options& in);

}  // namespace gradus::python
