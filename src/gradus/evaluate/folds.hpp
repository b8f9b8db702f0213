// Which rows teach and which rows examine: every way of splitting that the textbooks teach, as one
// value that can be saved and used again, so that all learners of a comparison meet the same rows.
//
//   Folds folds = make_folds(data, {.scheme = FoldScheme::stratified, .folds = 10, .column = "y"});
//   for (std::size_t i = 0; i < folds.size(); ++i) fit(learner, data.take(folds.train(i)), …);
//
// kfold        the rows are shuffled and dealt to k parts; each part examines once
// stratified   the same within each class: every part has the classes in the shares of the table
// group        rows with the same value in `column` are never split (largest groups first, each to
//              the part with the fewest rows)
// time         rows by `column`; part i + 1 examines what parts 1 .. i taught
// leave_one_out  every row examines once
// five_by_two  five times two halves, each half teaching and examining: for the 5x2cv F test
// bootstrap    n rows drawn with replacement teach, the rest (about 37%) examines
// holdout      a random share `test` examines; with repeats, random resampling
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/core/random.hpp"
#include "gradus/data/dataset.hpp"

namespace gradus {

enum class FoldScheme {
  kfold,
  stratified,
  group,
  time,
  leave_one_out,
  five_by_two,
  bootstrap,
  holdout
};
std::string_view scheme_word(FoldScheme scheme);
// Every word, in the order above.
std::vector<std::string> scheme_words();

struct FoldOptions {
  FoldScheme scheme = FoldScheme::kfold;
  std::size_t folds = 10;   // parts; resamples of the bootstrap
  std::size_t repeats = 1;  // with other random numbers each time
  double test = 0.25;       // holdout: share of the rows that examine
  std::string column = {};  // stratified: the classes; group, time: the column they go by
  Seed seed = 0;
};

struct Fold {
  std::vector<std::size_t> test;
  std::vector<std::size_t> train = {};  // may repeat rows (bootstrap); empty: all but `test`
};

struct Folds {
  FoldOptions how;
  std::size_t rows = 0;
  std::string data_fingerprint;  // of the table they were made for
  std::vector<Fold> folds;

  std::size_t size() const { return folds.size(); }
  // The rows that teach in fold i, and those that examine.
  std::vector<std::size_t> train(std::size_t i) const;
  const std::vector<std::size_t>& test(std::size_t i) const { return folds[i].test; }

  // Whether each row examines exactly once: then all predictions together are one test set.
  bool each_row_once() const;
};

// Error{usage} or Error{bad_data} when the table does not allow it: fewer rows, classes or groups
// than parts.
Folds make_folds(const Dataset& data, const FoldOptions& options);

// The smallest class, where stratified folds are more than its rows: some parts are without it
// then.
struct SmallClass {
  std::string name;
  std::size_t rows = 0;
};
std::optional<SmallClass> class_below_folds(const Dataset& data, const FoldOptions& options);

// How the rows that teach an outer fold are split again, into `parts`: by class, group or time as
// outside; ways of splitting that have no parts become plain or stratified folds.
FoldOptions inner_folds(const FoldOptions& outer, std::size_t parts);

// `{folds_version, scheme, …, rows, data_fingerprint, folds: [{test: [...], train: [...]}]}`, rows
// counted from 1; `train` is left out where it is all other rows.
Value to_value(const Folds& folds);
// The folds of a file; `where` names it in errors.
Folds folds_from_value(const Value& value, const std::string& where);
// The same, checked against the table: its rows and its fingerprint. A file without one (folds that
// somebody wrote by hand, or made from a target alone) is for any table of so many rows.
Folds folds_from_value(const Value& value, const Dataset& data, const std::string& where);

// The rows in given shares (three for training, validation and test), at random, by class, by group
// or by time. Sizes are right to one row; with groups, as near as the groups allow.
struct PartitionOptions {
  std::vector<double> shares = {0.6, 0.2, 0.2};  // above 0; divided by their sum
  FoldScheme scheme = FoldScheme::kfold;         // kfold (plain), stratified, group or time
  std::string column = {};
  Seed seed = 0;
};
std::vector<std::vector<std::size_t>> partition_rows(const Dataset& data,
                                                     const PartitionOptions& options);

}  // namespace gradus
