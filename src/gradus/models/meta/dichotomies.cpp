#include "gradus/models/meta/dichotomies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/models/meta/inner_task.hpp"

namespace gradus {
namespace {

// Classes that the name of a group lists.
constexpr std::size_t kListed = 3;

[[noreturn]] void refuse(const char* why) { throw Error(ErrorKind::bad_data, "model", why); }

// The classes of one side: "ash", "ash+birch", "ash+birch+cedar+2 more".
std::string group_name(const std::vector<std::string>& names) {
  if (names.size() <= kListed + 1) return join(names, "+");
  const std::vector<std::string> first(names.begin(), names.begin() + kListed);
  return fmt::format("{}+{} more", join(first, "+"), names.size() - kListed);
}

// What a question says when one side of it had no rows.
double settled(const Dichotomies& questions, std::size_t problem) {
  const auto side = static_cast<double>(questions.only[problem]);
  return questions.probabilities ? (side + 1) / 2 : side;
}

template <class Rows>
void answer_all(const Dichotomies& questions, const Rows& rows, std::size_t count, double* out) {
  const std::size_t problems = questions.problems();
  std::vector<double> two(count * 2);
  for (std::size_t p = 0; p < problems; ++p) {
    if (!questions.models[p]) {
      for (std::size_t i = 0; i < count; ++i) out[i * problems + p] = settled(questions, p);
      continue;
    }
    questions.models[p]->core().predict(rows, two.data());
    for (std::size_t i = 0; i < count; ++i) {
      const double no = two[2 * i];
      const double yes = two[2 * i + 1];
      out[i * problems + p] = questions.probabilities ? yes : yes - no;
    }
  }
}

template <class Rows>
void decode_all(const Dichotomies& questions, const Rows& rows, std::size_t count,
                const Decode& decode, double* out) {
  const std::size_t problems = questions.problems();
  const auto classes = static_cast<std::size_t>(questions.classes);
  std::vector<double> answers(count * problems);
  questions.answers(rows, answers.data());
  for (std::size_t i = 0; i < count; ++i) {
    decode({answers.data() + i * problems, problems}, {out + i * classes, classes});
  }
}

}  // namespace

void CodeMatrix::add(std::span<const std::int32_t> sides) {
  GRADUS_ASSERT(sides.size() == classes_);
  sides_.insert(sides_.end(), sides.begin(), sides.end());
}

std::size_t CodeMatrix::least_distance() const {
  std::size_t least = problems();
  for (std::size_t a = 0; a < classes_; ++a) {
    for (std::size_t b = a + 1; b < classes_; ++b) {
      std::size_t distance = 0;
      for (std::size_t p = 0; p < problems(); ++p) distance += side(p, a) != side(p, b) ? 1 : 0;
      least = std::min(least, distance);
    }
  }
  return least;
}

std::string Dichotomies::estimator() const {
  for (const auto& model : models) {
    if (model) return std::string(model->entry().info.name);
  }
  return {};
}

void Dichotomies::answers(const RowBlock& rows, double* out) const {
  answer_all(*this, rows, rows.rows, out);
}

void Dichotomies::answers(const SparseRows& rows, double* out) const {
  answer_all(*this, rows, rows.size(), out);
}

bool Dichotomies::predicts_sparse() const {
  return std::all_of(models.begin(), models.end(), [](const std::optional<InnerModel>& model) {
    return !model || model->core().predicts_sparse();
  });
}

std::vector<std::string> Dichotomies::side_names(std::size_t problem,
                                                 const Signature& signature) const {
  std::vector<std::string> minus;
  std::vector<std::string> plus;
  for (std::size_t c = 0; c < signature.classes.size(); ++c) {
    if (side(problem, c) < 0) minus.push_back(signature.classes[c]);
    if (side(problem, c) > 0) plus.push_back(signature.classes[c]);
  }
  const bool rest =
      plus.size() == 1 && minus.size() > 1 && minus.size() + 1 == signature.classes.size();
  return {rest ? "not " + plus[0] : group_name(minus), group_name(plus)};
}

std::vector<InnerMember> Dichotomies::members(const Signature& signature) const {
  std::vector<InnerMember> out;
  for (std::size_t p = 0; p < problems(); ++p) {
    if (models[p]) out.push_back({&*models[p], {}, side_names(p, signature)});
  }
  return out;
}

// A question whose answer was settled without a model has no tree.
std::size_t Dichotomies::kept_trees() const {
  std::vector<InnerMember> fitted;
  for (const auto& model : models) {
    if (model) fitted.push_back({&*model});
  }
  return kept_trees_of(fitted);
}

Value Dichotomies::kept_tree(std::size_t index, const Signature& signature) const {
  return kept_tree_of(members(signature), index, signature);
}

std::optional<FeatureUse> Dichotomies::feature_use(const Signature& signature) const {
  return feature_use_of(members(signature), signature);
}

void Dichotomies::check(const Signature& signature) const {
  const std::size_t count = signature.classes.size();
  const bool shaped = signature.task == Task::classify && classes > 0 &&
                      static_cast<std::size_t>(classes) == count &&
                      code.size() == models.size() * count && only.size() == models.size();
  if (!shaped) refuse("the questions do not fit the classes");
  for (const std::int32_t s : code) {
    if (s < -1 || s > 1) refuse("a class stands on no side of a question");
  }
  for (std::size_t p = 0; p < models.size(); ++p) {
    if (only[p] < -1 || only[p] > 1 || (models[p] && only[p] != 0)) {
      refuse("an answer is neither learned nor settled");
    }
    if (models[p])
      models[p]->core().check(inner_signature(signature, {}, side_names(p, signature)));
  }
}

void decode_rows(const Dichotomies& questions, const RowBlock& rows, const Decode& decode,
                 double* out) {
  decode_all(questions, rows, rows.rows, decode, out);
}

void decode_rows(const Dichotomies& questions, const SparseRows& rows, const Decode& decode,
                 double* out) {
  decode_all(questions, rows, rows.size(), decode, out);
}

void count_votes(const Dichotomies& questions, std::span<const double> answers,
                 std::span<double> out) {
  for (std::size_t c = 0; c < out.size(); ++c) {
    double votes = 0;
    double sure = 0;
    for (std::size_t p = 0; p < answers.size(); ++p) {
      const std::int32_t side = questions.side(p, c);
      if (side == 0) continue;
      votes += questions.positive(answers[p]) == (side > 0) ? 1 : 0;
      sure += side * questions.confidence(answers[p]);
    }
    out[c] = votes + sure / (3 * (std::abs(sure) + 1));
  }
}

std::size_t winner(std::span<const double> numbers) {
  return static_cast<std::size_t>(std::max_element(numbers.begin(), numbers.end()) -
                                  numbers.begin());
}

}  // namespace gradus
