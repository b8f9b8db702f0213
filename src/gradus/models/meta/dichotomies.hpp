// Many classes as questions with two answers: the engine behind one_vs_rest, one_vs_one, ecoc and
// label_partition.
//
// A question puts some classes on one side (+1), some on the other (-1) and leaves the rest out
// (0). All questions together are a code matrix, problems x classes (Allwein, Schapire, Singer
// 2000):
//
//   one against the rest     one against one        an output code
//     A  +1 -1 -1              A  -1 -1  0            A  +1 +1 -1
//     B  -1 +1 -1              B  +1  0 -1            B  -1 +1 +1     (here classes x problems)
//     C  -1 -1 +1              C   0 +1 +1            C  +1 -1 +1
//
// Any classifier learns each question from the rows of the classes that take part. Which questions
// are asked and how their answers become a class is all that the learners on top decide.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/contract/train_task.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/models/inner_model.hpp"
#include "gradus/models/meta/inner_member.hpp"
#include "gradus/trace/trace.hpp"

namespace gradus {

// Problems x classes: -1, 0 or +1.
class CodeMatrix {
 public:
  CodeMatrix() = default;
  explicit CodeMatrix(std::size_t classes) : classes_(classes) {}

  std::size_t classes() const { return classes_; }
  std::size_t problems() const { return classes_ == 0 ? 0 : sides_.size() / classes_; }
  void add(std::span<const std::int32_t> sides);
  std::int32_t side(std::size_t problem, std::size_t c) const {
    return sides_[problem * classes_ + c];
  }
  const std::vector<std::int32_t>& sides() const { return sides_; }

  // The least Hamming distance between the words of two classes: d corrects (d - 1) / 2 errors.
  std::size_t least_distance() const;

 private:
  std::size_t classes_ = 0;
  std::vector<std::int32_t> sides_;
};

// The fitted questions.
struct Dichotomies {
  std::int32_t classes = 0;
  bool probabilities = false;      // answers are P(+1), else margins: positive for +1
  std::vector<std::int32_t> code;  // problems x classes
  std::vector<std::int32_t> only;  // problem: the only side that had rows; 0: both, or none
  std::vector<std::optional<InnerModel>> models;  // problem: none when a side had no rows

  template <class D = Dichotomies>
  static constexpr auto describe() {
    return Members{field(&D::classes, 1, "classes"), field(&D::probabilities, 2, "probabilities"),
                   field(&D::code, 3, "code"), field(&D::only, 4, "only"),
                   field(&D::models, 5, "models")};
  }

  std::size_t problems() const { return models.size(); }
  std::int32_t side(std::size_t problem, std::size_t c) const {
    return code[problem * static_cast<std::size_t>(classes) + c];
  }
  std::string estimator() const;  // the name of the base; empty when nothing was fitted

  // P(+1) or the margin of every problem, rows x problems.
  void answers(const RowBlock& rows, double* out) const;
  void answers(const SparseRows& rows, double* out) const;
  bool predicts_sparse() const;

  // Whether an answer is for the side +1, and how sure it is: from -1 to 1, or the margin.
  bool positive(double answer) const { return probabilities ? answer > 0.5 : answer > 0; }
  double confidence(double answer) const { return probabilities ? 2 * answer - 1 : answer; }

  void check(const Signature& signature) const;

  // The trees of the questions, one after the other, and how all of them use the columns; see
  // contract/entry.hpp.
  std::size_t kept_trees() const;
  Value kept_tree(std::size_t index, const Signature& signature) const;
  std::optional<FeatureUse> feature_use(const Signature& signature) const;

  // The two classes of a problem as its model knows them: {-1, +1}.
  std::vector<std::string> side_names(std::size_t problem, const Signature& signature) const;

  // The questions in the words of inner_member.hpp.
  std::vector<InnerMember> members(const Signature& signature) const;

  // Tells what every problem says to a row, and returns the answers.
  std::vector<double> explain_answers(std::span<const double> row, const Signature& signature,
                                      Trace& trace) const;
};

// The same decoding for dense and sparse rows: `decode(answers of a row, its classes' numbers)`.
using Decode = std::function<void(std::span<const double> answers, std::span<double> out)>;
void decode_rows(const Dichotomies& questions, const RowBlock& rows, const Decode& decode,
                 double* out);
void decode_rows(const Dichotomies& questions, const SparseRows& rows, const Decode& decode,
                 double* out);

// Fits every problem, side by side; tells each when there is a trace.
Dichotomies fit_dichotomies(const AnyLearner& base, const CodeMatrix& code, const TrainTask& task,
                            const Context& context);

// Votes and, where they are equal, the sum of confidences (which weighs less than half a vote):
// each problem gives every class of the side that it answers one vote.
void count_votes(const Dichotomies& questions, std::span<const double> answers,
                 std::span<double> out);

// The class with the most, the first of equals.
std::size_t winner(std::span<const double> numbers);

// Numbers by the names of the classes.
Value by_class(const Signature& signature, std::span<const double> numbers);

// The last step of a row: what each class got, and which one wins.
Step verdict(const Signature& signature, std::span<const double> numbers, const std::string& what);

}  // namespace gradus
