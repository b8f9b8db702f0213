#include "gradus/blocks/rules/rule_set.hpp"

#include <bit>

#include "gradus/blocks/rules/ranked_rule.hpp"

namespace gradus {
namespace {

constexpr std::size_t kBits = 64;

void leave_out(const std::vector<std::uint64_t>& covered, std::vector<std::uint64_t>& open) {
  for (std::size_t w = 0; w < open.size(); ++w) open[w] &= ~covered[w];
}

}  // namespace

RuleSet::RuleSet(const RuleRows& data, const RowIndices& rows)
    : data_(data),
      rows_(rows),
      possible_(possible_conditions(data.table)),
      all_(coverage(data, rows)) {}

void RuleSet::add(const Rule& rule) {
  rules_.push_back(rule);
  covered_.push_back(covered_by(rule));
}

void RuleSet::replace(std::size_t i, const Rule& rule) {
  rules_[i] = rule;
  covered_[i] = covered_by(rule);
}

void RuleSet::erase(std::size_t i) {
  rules_.erase(rules_.begin() + static_cast<std::ptrdiff_t>(i));
  covered_.erase(covered_.begin() + static_cast<std::ptrdiff_t>(i));
}

double RuleSet::bits_of(std::optional<std::size_t> without, const Rule* instead) const {
  double theory = 0;
  for (std::size_t j = 0; j < rules_.size(); ++j) {
    const Rule* rule = j == without ? instead : &rules_[j];
    if (rule != nullptr) theory += theory_bits(*rule, possible_);
  }
  Marks marks = open(without);
  if (instead != nullptr) leave_out(covered_by(*instead), marks);
  const Coverage left = coverage(data_, rows_of(marks));
  return theory + exception_bits({all_.inside - left.inside, all_.outside - left.outside}, left);
}

RuleSet::Marks RuleSet::covered_by(const Rule& rule) const {
  const RankedRule asked(rule, data_.table);
  Marks marks((rows_.size() + kBits - 1) / kBits, 0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    marks[i / kBits] |= static_cast<std::uint64_t>(asked.covers(rows_[i])) << (i % kBits);
  }
  return marks;
}

RuleSet::Marks RuleSet::open(std::optional<std::size_t> without) const {
  Marks marks((rows_.size() + kBits - 1) / kBits, ~std::uint64_t{0});
  if (rows_.size() % kBits != 0) marks.back() >>= kBits - rows_.size() % kBits;
  for (std::size_t j = 0; j < covered_.size(); ++j) {
    if (j != without) leave_out(covered_[j], marks);
  }
  return marks;
}

RowIndices RuleSet::rows_of(const Marks& marks) const {
  RowIndices out;
  for (std::size_t w = 0; w < marks.size(); ++w) {
    for (std::uint64_t word = marks[w]; word != 0; word &= word - 1) {
      out.push_back(rows_[w * kBits + static_cast<std::size_t>(std::countr_zero(word))]);
    }
  }
  return out;
}

}  // namespace gradus
