// `gradus dependence MODEL --data FILE --columns age,income`: how the answer depends on columns.
#include <fmt/format.h>

#include "gradus/evaluate/dependence.hpp"
#include "gradus/report/influence.hpp"
#include "model_question.hpp"

namespace gradus::cli {
namespace {

constexpr std::size_t kPageCurves = 30;  // curves of single rows on a page

class DependenceCommand : public QuestionCommand {
 public:
  Syntax syntax() override {
    Syntax syntax{.verb = "dependence",
                  .summary =
                      "How the answer of a model depends on a column, all else being as it is: the "
                      "mean over the rows (partial dependence), and the curves of single rows "
                      "(individual conditional expectation)."};
    add_question_options(
        syntax, "Dependence",
        {list_option("--columns", "The columns to vary, one after the other (default: all)",
                     columns_),
         count_option("--points", "Most values of a numeric column (default 40)", 2,
                      options_.points),
         count_option("--rows", "Rows that are asked, drawn at random; 0: all (default 5000)", 0,
                      options_.most_rows),
         count_option("--curves", "Rows whose own curves are given (default 0)", 0,
                      options_.curves),
         seed_option("Seed of the draw (default 0)", options_.seed)});
    syntax.examples = {
        "gradus dependence prices.gradus --data train.csv --columns area,age",
        "gradus dependence prices.gradus --data train.csv --columns area --curves 50 "
        "--report area.html"};
    return syntax;
  }

 private:
  QuestionAnswer ask(const AnyModel& model, const Dataset& data, const Context& context) override {
    if (!question().report.empty() && options_.curves == 0) options_.curves = kPageCurves;
    if (columns_.empty()) {
      for (const SourceColumn& source : model.preparation().sources) {
        columns_.push_back(source.name);
      }
    }
    QuestionAnswer answer{object({{"columns", Value(Value::Array{})}}),
                          {.title = question().model_file,
                           .subtitle = fmt::format("how {} depends on its columns, on {}",
                                                   model.info().name, question().data_file)},
                          {}};
    for (const std::string& column : columns_) {
      const Dependence dependence = partial_dependence(model, data, column, options_, context);
      answer.value["columns"].push_back(to_value(dependence));
      answer.page.add(report::dependence_blocks(dependence));
      for (report::Block& figure : report::dependence_figures(dependence)) {
        answer.figures.push_back(std::move(figure));
      }
    }
    return answer;
  }

  DependenceOptions options_;
  std::vector<std::string> columns_;
};

}  // namespace

CommandPtr make_dependence(const Entry*) { return std::make_unique<DependenceCommand>(); }

}  // namespace gradus::cli
