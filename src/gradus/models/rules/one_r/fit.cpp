#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gradus/blocks/impurity/impurity.hpp"
#include "gradus/blocks/tree/between.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/rules/one_r/model.hpp"
#include "gradus/parallel/parallel.hpp"
#include "gradus/trace/shown_list.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {
namespace {

constexpr double kTie = 1e-9;

// The rules about one column and what they get wrong.
struct Candidate {
  std::vector<Rule> rules;
  std::vector<double> counts;  // rules x classes
  double errors = 0;
  bool tells = false;  // more than one rule
};

std::size_t majority(std::span<const double> counts) {
  return static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

double errors_of(std::span<const double> counts) {
  return total_of(counts) - counts[majority(counts)];
}

class ColumnRules {
 public:
  ColumnRules(const RuleData& data, std::size_t feature, double min_bucket)
      : data_(data), column_(data.table.column(feature)), feature_(feature), needed_(min_bucket) {
    // Class counts of every value; what is missing stands behind the last.
    counts_.assign((column_.ranks + 1) * data.classes, 0.0);
    for (std::size_t row = 0; row < data.weights.size(); ++row) {
      counts_[column_.rank[row] * data.classes + static_cast<std::size_t>(data.codes[row])] +=
          data.weights[row];
    }
    for (std::size_t rank = 0; rank < column_.ranks; ++rank) {
      if (total_of(of(rank)) > 0) present_.push_back(rank);
    }
  }

  Candidate find() {
    if (column_.nominal) {
      for (const std::size_t level : present_) {
        add({{feature_, Compare::equal, static_cast<double>(level)}}, of(level));
      }
    } else {
      add_intervals();
    }
    const std::span<const double> missing = of(column_.ranks);
    if (total_of(missing) > 0) add({{feature_, Compare::missing, 0}}, missing);
    out_.tells = out_.rules.size() > 1;
    return std::move(out_);
  }

 private:
  std::span<const double> of(std::size_t rank) const {
    return {counts_.data() + rank * data_.classes, data_.classes};
  }

  void add(Rule rule, std::span<const double> counts) {
    out_.rules.push_back(std::move(rule));
    out_.errors += errors_of(counts);
    out_.counts.insert(out_.counts.end(), counts.begin(), counts.end());
  }

  struct Interval {
    std::vector<double> counts;
    std::size_t last = 0;  // rank
  };

  // Values join an interval until its majority is large enough, and then as long as the next value
  // has the same majority.
  std::vector<Interval> intervals() const {
    std::vector<Interval> found;
    for (const std::size_t rank : present_) {
      const std::span<const double> here = of(rank);
      if (!found.empty()) {
        Interval& open = found.back();
        const std::size_t best = majority(open.counts);
        if (open.counts[best] < needed_ || majority(here) == best) {
          for (std::size_t k = 0; k < here.size(); ++k) open.counts[k] += here[k];
          open.last = rank;
          continue;
        }
      }
      found.push_back({std::vector<double>(here.begin(), here.end()), rank});
    }
    return found;
  }

  // Neighbours with one majority become one, and so does a last one that is too small.
  void add_intervals() {
    std::vector<Interval> joined;
    for (const Interval& next : intervals()) {
      const std::size_t best = majority(next.counts);
      if (joined.empty() ||
          (majority(joined.back().counts) != best && next.counts[best] >= needed_)) {
        joined.push_back(next);
        continue;
      }
      for (std::size_t k = 0; k < next.counts.size(); ++k)
        joined.back().counts[k] += next.counts[k];
      joined.back().last = next.last;
    }
    for (std::size_t i = 0; i < joined.size(); ++i) {
      const bool last = i + 1 == joined.size();
      // The last interval has no upper end: above the cut before it.
      if (!last)
        cut_ = between(column_.values[joined[i].last], column_.values[after(joined[i].last)]);
      const bool above = last && i > 0;
      const double value = last && i == 0 ? column_.values.back() : cut_;
      add({{feature_, above ? Compare::above : Compare::at_most, value}}, joined[i].counts);
    }
  }

  // The next value that a row has.
  std::size_t after(std::size_t rank) const {
    return *std::upper_bound(present_.begin(), present_.end(), rank);
  }

  const RuleData& data_;
  const RankedColumn& column_;
  std::size_t feature_;
  double needed_;
  std::vector<double> counts_;
  std::vector<std::size_t> present_;  // ranks that a row with weight has
  Candidate out_;
  double cut_ = 0;
};

// Each value of a column with its class counts, the class that it says and what that gets wrong.
Value rules_value(const Candidate& candidate, const Signature& signature) {
  const std::size_t classes = signature.classes.size();
  Value::Array out;
  for (std::size_t i = 0; i < std::min(candidate.rules.size(), kAllShown); ++i) {
    const std::span<const double> counts(candidate.counts.data() + i * classes, classes);
    Value one = object({{"rule", rule_text(candidate.rules[i], signature)},
                        {"class", signature.classes[majority(counts)]},
                        {"errors", errors_of(counts)},
                        {"counts", object()}});
    for (std::size_t k = 0; k < classes; ++k) one["counts"][signature.classes[k]] = counts[k];
    out.push_back(std::move(one));
  }
  return out;
}

void tell(const std::vector<Candidate>& candidates, const OneRModel& model,
          const Signature& signature, Trace& trace) {
  for (std::size_t j = 0; j < candidates.size() && trace.wants_more(); ++j) {
    const std::string& name = signature.features[j].name;
    Step step{.title = "Rules about " + name, .path = name};
    const std::size_t count = candidates[j].rules.size();
    step.values = object(
        {{"errors", candidates[j].errors}, {"rules", rules_value(candidates[j], signature)}});
    step.text = fmt::format("{}, {} wrong on the training rows.", counted(count, "rule"),
                            readable(candidates[j].errors));
    if (count > kAllShown) step.text += fmt::format(" The first {} are listed.", kAllShown);
    trace.add(std::move(step));
  }
  if (!trace.wants_more()) return;
  Step step{.title = "Take the column that errs least", .path = "model"};
  step.values = model.fitted(signature);
  step.text = model.feature < 0
                  ? "No column parts the rows: the majority answers."
                  : fmt::format("{} errs least.",
                                signature.features[static_cast<std::size_t>(model.feature)].name);
  trace.add(std::move(step));
}

}  // namespace

OneRModel OneR::fit(const TrainTask& task, const Context& context) const {
  const RankedTable table(task.features, task.signature, context);
  std::vector<double> weights;
  for (std::size_t row = 0; row < task.rows(); ++row) weights.push_back(task.weight(row));
  const RuleData data{table, task.classes, weights, task.signature.classes.size()};
  const std::vector<Candidate> candidates = parallel::map_slots<Candidate>(
      context, table.cols(),
      [&](std::size_t j) { return ColumnRules(data, j, min_bucket).find(); });
  OneRModel model;
  std::vector<Rule> rules;
  for (std::size_t j = 0; j < candidates.size(); ++j) {
    model.errors.push_back(candidates[j].errors);
    if (!candidates[j].tells) continue;
    const bool better =
        model.feature < 0 ||
        candidates[j].errors < candidates[static_cast<std::size_t>(model.feature)].errors - kTie;
    if (better) model.feature = static_cast<std::int32_t>(j);
  }
  if (model.feature >= 0) rules = candidates[static_cast<std::size_t>(model.feature)].rules;
  model.list = answered(rules, data);
  if (context.trace != nullptr) tell(candidates, model, task.signature, *context.trace);
  return model;
}

}  // namespace gradus
