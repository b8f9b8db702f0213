#include "gradus/models/meta/ecoc/model.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/contract/entry_impl.hpp"

namespace gradus {

template const Entry& entry<Ecoc>();

namespace {

// Probabilities of 0 and 1 are as sure as this, or one answer would overrule all others.
constexpr double kSurest = 1e-12;

bool on_log_odds(EcocLoss loss) {
  return loss == EcocLoss::logistic || loss == EcocLoss::exponential;
}

double margin_of(const EcocModel& model, double answer) {
  if (!model.questions.probabilities || !on_log_odds(model.loss)) {
    return model.questions.confidence(answer);
  }
  const double p = std::clamp(answer, kSurest, 1 - kSurest);
  const double odds = std::log(p) - std::log1p(-p);
  // Boosting's margin is half of the log odds.
  return model.loss == EcocLoss::exponential ? odds / 2 : odds;
}

double loss_of(EcocLoss loss, double z) {
  switch (loss) {
    case EcocLoss::logistic: return z > 0 ? std::log1p(std::exp(-z)) : std::log1p(std::exp(z)) - z;
    // Margins of any size must not overflow: beyond this one the loss grows no further.
    case EcocLoss::exponential: return std::exp(std::min(-z, 300.0));
    case EcocLoss::hinge: return std::max(0.0, 1 - z);
    case EcocLoss::squared: return (1 - z) * (1 - z);
  }
  return 0;
}

std::string word_of(const Dichotomies& questions, std::size_t c) {
  std::string word;
  for (std::size_t p = 0; p < questions.problems(); ++p) {
    word += questions.side(p, c) == 0 ? '.' : questions.side(p, c) > 0 ? '1' : '0';
  }
  return word;
}

Decode decoder(const EcocModel& model) {
  return [&model](std::span<const double> answers, std::span<double> out) {
    model.decode(answers, out);
  };
}

}  // namespace

void EcocModel::decode(std::span<const double> answers, std::span<double> out) const {
  for (std::size_t c = 0; c < out.size(); ++c) {
    double sum = 0;
    for (std::size_t p = 0; p < answers.size(); ++p) {
      const std::int32_t side = questions.side(p, c);
      if (decoding == EcocDecoding::hamming) {
        // A class that is left out of a question is half wrong whatever the answer.
        const bool wrong = questions.positive(answers[p]) != (side > 0);
        sum += side == 0 ? 0.5 : wrong ? 1.0 : 0.0;
      } else {
        sum += loss_of(loss, side * margin_of(*this, answers[p]));
      }
    }
    out[c] = -sum;
  }
}

void EcocModel::predict(const RowBlock& rows, double* out) const {
  decode_rows(questions, rows, decoder(*this), out);
}

void EcocModel::predict(const SparseRows& rows, double* out) const {
  decode_rows(questions, rows, decoder(*this), out);
}

Value EcocModel::fitted(const Signature& signature) const {
  Value out = object({{"bits", questions.problems()}, {"codewords", object()}});
  for (std::size_t c = 0; c < signature.classes.size(); ++c) {
    out["codewords"][signature.classes[c]] = word_of(questions, c);
  }
  out["least_distance"] = least_distance;
  out["correctable"] = least_distance > 0 ? (least_distance - 1) / 2 : 0;
  if (const std::string name = questions.estimator(); !name.empty()) out["estimator"] = name;
  return out;
}

void EcocModel::check(const Signature& signature) const {
  questions.check(signature);
  if (least_distance < 0 || static_cast<std::uint64_t>(least_distance) > questions.problems()) {
    throw Error(ErrorKind::bad_data, "model", "the words differ in more bits than they have");
  }
}

void EcocModel::explain(std::span<const double> row, const Signature& signature,
                        Trace& trace) const {
  const std::vector<double> answers = questions.explain_answers(row, signature, trace);
  std::string bits;
  for (const double answer : answers) bits += questions.positive(answer) ? '1' : '0';
  std::vector<double> numbers(signature.classes.size());
  decode(answers, numbers);
  Step step{.title = "The answers and the words", .path = "distances"};
  step.values = object({{"bits", bits}, {"codewords", object()}, {"distances", object()}});
  step.formula = "answers " + bits;
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    step.values["codewords"][signature.classes[c]] = word_of(questions, c);
    step.values["distances"][signature.classes[c]] = numbers[c] == 0 ? 0.0 : -numbers[c];
    step.formula += ", " + signature.classes[c] + " " + word_of(questions, c);
  }
  step.text = decoding == EcocDecoding::hamming
                  ? "The distance is the number of wrong bits."
                  : "The distance is the sum of the losses of all margins.";
  trace.add(std::move(step));
  Step last = verdict(signature, numbers, "score");
  last.text = signature.classes[winner(numbers)] + " has the nearest word.";
  trace.add(std::move(last));
}

}  // namespace gradus
