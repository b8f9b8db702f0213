// `gradus predict MODEL --data FILE`: one row of answers per row of data.
#include <fmt/format.h>

#include <tuple>
#include <unordered_set>

#include "common_options.hpp"
#include "gradus/api/save.hpp"
#include "gradus/core/atomic_file.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/write.hpp"
#include "gradus/evaluate/decision.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "validation_options.hpp"
#include "verbs.hpp"

namespace gradus::cli {
namespace {

Column number_column(std::string name, const Predictions& predictions, std::size_t position) {
  std::vector<double> values(predictions.rows);
  for (std::size_t row = 0; row < values.size(); ++row)
    values[row] = predictions.row(row)[position];
  return Column::numeric(std::move(name), std::move(values));
}

std::vector<Column> answer_columns(const Predictions& predictions, const DecisionRule& rule) {
  if (predictions.task == Task::classify || !rule.is_plain()) {
    return {Column::nominal("prediction", decide(predictions, rule), predictions.classes)};
  }
  if (predictions.width == 1) return {number_column("prediction", predictions, 0)};
  std::vector<Column> columns;
  for (std::size_t k = 0; k < predictions.width; ++k) {
    columns.push_back(
        number_column(fmt::format("prediction({})", predictions.outputs[k]), predictions, k));
  }
  return columns;
}

std::vector<Column> coordinate_columns(const Transformed& transformed) {
  std::vector<Column> columns;
  const std::size_t width = transformed.names.size();
  for (std::size_t k = 0; k < width; ++k) {
    std::vector<double> values(transformed.rows);
    for (std::size_t row = 0; row < values.size(); ++row) {
      values[row] = transformed.values[row * width + k];
    }
    columns.push_back(Column::numeric(transformed.names[k], std::move(values)));
  }
  return columns;
}

// contribution(FEATURE) and base of one score, contribution(FEATURE,CLASS) and base(CLASS) of
// several.
std::vector<Column> contribution_columns(const Contributions& parts) {
  std::vector<Column> columns;
  const std::size_t stride = parts.features.size() + 1;
  for (std::size_t k = 0; k < parts.scores; ++k) {
    const std::string of = parts.names.empty() ? std::string() : parts.names[k];
    for (std::size_t j = 0; j < stride; ++j) {
      std::string name = of.empty() ? "base" : fmt::format("base({})", of);
      if (j + 1 < stride) {
        name = fmt::format("contribution({}{}{})", parts.features[j], of.empty() ? "" : ",", of);
      }
      std::vector<double> values(parts.rows);
      for (std::size_t row = 0; row < values.size(); ++row) {
        values[row] = parts.values[(row * parts.scores + k) * stride + j];
      }
      columns.push_back(Column::numeric(std::move(name), std::move(values)));
    }
  }
  return columns;
}

class PredictCommand : public Command {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "predict",
                  .summary =
                      "Applies a model to new rows. Writes a table with the column "
                      "`prediction`, with --probabilities one column p(CLASS) per "
                      "class, with --transform the row's new coordinates, with --contributions "
                      "what each feature adds to the score. Columns are matched by name; their "
                      "order does not matter."};
    syntax.operands.push_back(
        {"MODEL", "a model file", [this](const std::string& text) { model_file_ = text; }});
    std::vector<Option> own = {
        text_option("--data", "FILE", "The rows to predict; - is standard input", data_file_),
        text_option("--output", "FILE", "Where to write (default: standard output)", output_),
        flag_option("--probabilities", "Also the probability of each class", probabilities_),
        {.names = {"--threshold"},
         .value = "CLASS=P",
         .help = "Call this class from the probability P on (default: the likeliest class)",
         .set =
             [this](const std::string& text) {
               std::tie(rule_.positive, rule_.threshold) = threshold_of(text);
             }},
        {.names = {"--costs"},
         .value = "A:P=C,...",
         .help = "Call the class of least expected cost, where predicting P for A costs C; other "
                 "mistakes cost 1, hits 0",
         .set = [this](const std::string& text) { rule_.costs = costs_of(text); }},
        flag_option("--transform",
                    "Also the new coordinates of each row: for kmeans, distance(K) to each centre",
                    transform_),
        flag_option("--contributions",
                    "Also contribution(FEATURE), what each feature adds to the score of the row, "
                    "and base, the mean: exact Shapley values of trees; of several classes "
                    "contribution(FEATURE,CLASS) and base(CLASS)",
                    contributions_),
        flag_option("--keep", "Copy the columns of the data before the predictions", keep_),
        flag_option("--csv-safe", "Put ' before cells that a spreadsheet would run",
                    write_.spreadsheet_safe)};
    add_grouped(syntax, "Data", std::move(own));
    add_extra_option(syntax, predict_.extra);
    add_read_options(syntax, read_, FormatWord::data);
    add_run_options(syntax, run_);
    syntax.examples = {"gradus predict iris.gradus --data new.csv --output answers.csv",
                       "gradus predict ill.gradus --data new.csv --costs ill:well=20,well:ill=1",
                       "gradus predict iris.gradus --data - --probabilities < new.csv"};
    return syntax;
  }

  void run() override {
    if (data_file_.empty()) usage_error("--data", "name the rows to predict: --data FILE");
    if (!rule_.positive.empty() && !rule_.costs.empty()) {
      usage_error("--threshold", "a threshold and costs are two ways to decide: give one");
    }
    require_different("--output", output_, {data_file_, model_file_});
    write_.overwrite = run_.force ? Overwrite::replace : Overwrite::refuse;
    if (output_ == "-") {
      write_.format = TableFormat::csv;
    } else {
      OutputFile early(output_, write_.overwrite);
    }
    ProgressLine progress(run_.speech.progress);
    const Context context = make_context(run_, &progress);
    const AnyModel model = load_model(model_file_);
    require_probabilities(model);
    if (transform_) model.require_transforms();
    if (contributions_) model.require_contributions();
    const Dataset data = read_data(data_file_, read_, run_, context);
    const Predictions predictions = model.predict(data, context, predict_);
    Transformed transformed;
    if (transform_) transformed = model.transform(data, context, predict_);
    std::vector<Column> more = coordinate_columns(transformed);
    if (contributions_) {
      const Contributions parts = model.contributions(data, context, predict_);
      for (Column& column : contribution_columns(parts)) more.push_back(std::move(column));
    }
    const Dataset answers = table_of(data, predictions, std::move(more), context);
    progress.clear();
    warn_about_unseen(run_.speech, predictions.unseen);
    const UndisturbedOutput undisturbed(output_);
    write_table(answers, output_, write_, context);
  }

 private:
  void require_probabilities(const AnyModel& model) const {
    const bool classes = model.signature().task == Task::classify;
    if (!probabilities_ || (classes && model.info().gives.has(Give::probabilities))) return;
    usage_error("--probabilities", fmt::format("{} gives no probabilities for this {}",
                                               model.info().name, classes ? "model" : "task"));
  }

  Dataset table_of(const Dataset& data, const Predictions& predictions, std::vector<Column> more,
                   const Context& context) const {
    std::vector<Column> columns;
    if (keep_) columns = kept_columns(data, context);
    for (Column& column : answer_columns(predictions, rule_)) columns.push_back(std::move(column));
    for (std::size_t k = 0; probabilities_ && k < predictions.width; ++k) {
      columns.push_back(
          number_column(fmt::format("p({})", predictions.classes[k]), predictions, k));
    }
    for (Column& column : more) columns.push_back(std::move(column));
    std::unordered_set<std::string_view> names;
    for (const Column& column : columns) {
      if (names.insert(column.name()).second) continue;
      usage_error("--keep",
                  fmt::format("the data has a column {} already", in_quotes(column.name())),
                  "rename it, or leave --keep out");
    }
    return Dataset(std::move(columns));
  }

  // Text files are read again with every cell as text, so that what is kept is kept as written:
  // an identifier of twenty digits, or `007`, is not a number.
  std::vector<Column> kept_columns(const Dataset& data, const Context& context) const {
    if (data.sparse()) {
      usage_error("--keep", "the columns of sparse data cannot be kept");
    }
    const bool again = data_file_ != "-" && data_file_.find('?') == std::string::npos;
    if (!again) return {data.columns().begin(), data.columns().end()};
    ReadOptions as_text = read_;
    as_text.nominal = {};
    as_text.numeric = {};
    as_text.ordinal = {};
    as_text.schema_file = {};
    as_text.text = data.names();
    as_text.missing_tokens = {""};
    const Dataset raw = read_table(data_file_, as_text, nullptr, context);
    return {raw.columns().begin(), raw.columns().end()};
  }

  std::string model_file_;
  std::string data_file_;
  std::string output_ = "-";
  bool probabilities_ = false;
  bool transform_ = false;
  bool contributions_ = false;
  bool keep_ = false;
  DecisionRule rule_;
  PredictOptions predict_;
  ReadOptions read_;
  WriteOptions write_;
  RunOptions run_;
};

}  // namespace

CommandPtr make_predict(const Entry*) { return std::make_unique<PredictCommand>(); }

}  // namespace gradus::cli
