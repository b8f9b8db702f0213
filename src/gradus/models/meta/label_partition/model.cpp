#include "gradus/models/meta/label_partition/model.hpp"

#include <algorithm>

#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<LabelPartition>();

namespace {

Decode decoder(const LabelPartitionModel& model) {
  return [&model](std::span<const double> answers, std::span<double> out) {
    model.decode(answers, out);
  };
}

// P(the side of a class) by one division; without probabilities it is certain.
double share(const Dichotomies& questions, double answer, std::int32_t side) {
  const double plus = questions.probabilities ? answer : (questions.positive(answer) ? 1.0 : 0.0);
  return side > 0 ? plus : 1 - plus;
}

}  // namespace

void LabelPartitionModel::decode(std::span<const double> answers, std::span<double> out) const {
  if (strategy == PartitionStrategy::vote) return count_votes(questions, answers, out);
  std::fill(out.begin(), out.end(), 0.0);
  std::size_t p = 0;
  std::vector<double> product(out.size());
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(trees); ++t) {
    std::fill(product.begin(), product.end(), 1.0);
    for (; p < answers.size() && tree[p] == t; ++p) {
      for (std::size_t c = 0; c < out.size(); ++c) {
        const std::int32_t side = questions.side(p, c);
        if (side != 0) product[c] *= share(questions, answers[p], side);
      }
    }
    for (std::size_t c = 0; c < out.size(); ++c) out[c] += product[c];
  }
  // One up to rounding, for the shares of a division add up to one.
  double sum = 0;
  for (const double x : out) sum += x;
  const auto count = static_cast<double>(out.size());
  for (double& x : out) x = sum > 0 ? x / sum : 1 / count;
}

void LabelPartitionModel::predict(const RowBlock& rows, double* out) const {
  decode_rows(questions, rows, decoder(*this), out);
}

void LabelPartitionModel::predict(const SparseRows& rows, double* out) const {
  decode_rows(questions, rows, decoder(*this), out);
}

Value LabelPartitionModel::fitted(const Signature& signature) const {
  Value out = object({{"problems", questions.problems()}});
  Value::Array groups;
  for (std::size_t p = 0; p < questions.problems(); ++p) {
    Value one = object({{"first", Value::Array()}, {"second", Value::Array()}});
    for (std::size_t c = 0; c < signature.classes.size(); ++c) {
      const std::int32_t side = questions.side(p, c);
      if (side != 0) one[side > 0 ? "first" : "second"].push_back(signature.classes[c]);
    }
    groups.push_back(std::move(one));
  }
  out["partitions"] = Value(std::move(groups));
  if (const std::string name = questions.estimator(); !name.empty()) out["estimator"] = name;
  return out;
}

void LabelPartitionModel::check(const Signature& signature) const {
  questions.check(signature);
  const bool nested = strategy == PartitionStrategy::nested;
  const std::size_t problems = questions.problems();
  bool sound = tree.size() == (nested ? problems : 0) && trees >= (nested ? 1 : 0) &&
               trees <= (nested ? 1000000 : 0) && std::is_sorted(tree.begin(), tree.end());
  for (const std::int32_t t : tree) sound = sound && t >= 0 && t < trees;
  if (!sound) throw Error(ErrorKind::bad_data, "model", "the divisions belong to no tree");
}

void LabelPartitionModel::explain(std::span<const double> row, const Signature& signature,
                                  Trace& trace) const {
  const std::vector<double> answers = questions.explain_answers(row, signature, trace);
  std::vector<double> numbers(signature.classes.size());
  decode(answers, numbers);
  if (strategy == PartitionStrategy::nested) {
    trace.add(verdict(signature, numbers, "P"));
    return;
  }
  Step step{
      .title = "The votes", .path = "votes", .text = "Every class of a chosen group gets one."};
  Value& votes = step.values["votes"] = object();
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    int count = 0;
    for (std::size_t p = 0; p < answers.size(); ++p) {
      const std::int32_t side = questions.side(p, c);
      count += side != 0 && questions.positive(answers[p]) == (side > 0) ? 1 : 0;
    }
    votes[signature.classes[c]] = count;
    step.formula += (c == 0 ? "" : ", ") + signature.classes[c] + ": " + std::to_string(count);
  }
  trace.add(std::move(step));
  trace.add(verdict(signature, numbers, "score"));
}

}  // namespace gradus
