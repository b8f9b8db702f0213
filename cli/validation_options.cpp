#include "validation_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "gradus/api/target.hpp"
#include "gradus/core/error.hpp"
#include "gradus/core/number.hpp"
#include "gradus/core/read_file.hpp"
#include "gradus/core/text.hpp"

namespace gradus::cli {
namespace {

constexpr const char* kFolds = "Folds";
constexpr const char* kMeasures = "Measures";
constexpr std::uint64_t kLargestFolds = std::uint64_t{1} << 32U;

bool is_count(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void set_scheme(FoldChoice& choice, const std::string& option, FoldScheme scheme) {
  if (choice.scheme_given && choice.options.scheme != scheme) {
    usage_error(option, fmt::format("the folds are asked for in two ways, {} and {}",
                                    scheme_word(choice.options.scheme), scheme_word(scheme)));
  }
  choice.options.scheme = scheme;
  choice.scheme_given = true;
}

Option by_column(FoldChoice& choice, const char* name, const char* help, FoldScheme scheme) {
  const std::string option(name);
  return {.names = {option},
          .value = "COL",
          .help = help,
          .set = [&choice, option, scheme](const std::string& text) {
            set_scheme(choice, option, scheme);
            choice.options.column = text;
          }};
}

IntervalMethod method_of(const std::string& word) {
  constexpr std::pair<std::string_view, IntervalMethod> kWords[] = {
      {"auto", IntervalMethod::automatic},
      {"normal", IntervalMethod::normal},
      {"wilson", IntervalMethod::wilson},
      {"exact", IntervalMethod::exact},
      {"bootstrap", IntervalMethod::bootstrap}};
  std::vector<std::string> words;
  for (const auto& [name, method] : kWords) {
    if (name == word) return method;
    words.emplace_back(name);
  }
  one_of("--interval", word, words);
  return IntervalMethod::automatic;
}

std::vector<Option> random_fold_options(FoldChoice& choice) {
  return {
      {.names = {"--repeat"},
       .value = "N",
       .help = "Repeat with other random folds (default 1)",
       .set =
           [&choice](const std::string& text) {
             choice.options.repeats = count_of("--repeat", text);
           }},
      {.names = {"--test"},
       .value = "SHARE",
       .help = "With --scheme holdout: share of rows that examine (default 0.25)",
       .set =
           [&choice](const std::string& text) { choice.options.test = number_of("--test", text); }},
      {.names = {"--fold-seed"},
       .value = "SEED",
       .help = "Seed of the random folds (default 0)",
       .set = [&choice](const std::string& text) {
         choice.options.seed = seed_of("--fold-seed", text);
       }}};
}

Folds folds_of_file(const std::string& path, const Dataset& data) {
  return folds_from_value(parse_json(read_whole_file(path, kLargestFolds), path), data, path);
}

}  // namespace

std::vector<std::pair<std::string, double>> costs_of(const std::string& text) {
  std::vector<std::pair<std::string, double>> out;
  for (const std::string& one : list_of("--costs", text)) {
    const std::size_t equals = one.rfind('=');
    const auto cost =
        equals == std::string::npos ? std::nullopt : parse_number(one.substr(equals + 1));
    if (!cost) {
      usage_error("--costs", fmt::format("expected ACTUAL:PREDICTED=COST (got {})", in_quotes(one)),
                  "--costs ill:well=20,well:ill=1");
    }
    out.emplace_back(one.substr(0, equals), *cost);
  }
  return out;
}

// A class may have an = in its name.
std::pair<std::string, double> threshold_of(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const auto share =
      equals == std::string::npos ? std::nullopt : parse_number(text.substr(equals + 1));
  if (!share || !(*share >= 0 && *share <= 1) || equals == 0) {
    usage_error("--threshold",
                fmt::format("expected CLASS=P with P from 0 to 1 (got {})", in_quotes(text)),
                "--threshold ill=0.2 calls ill from a probability of 0.2 on");
  }
  return {text.substr(0, equals), *share};
}

void add_fold_options(Syntax& syntax, FoldChoice& choice) {
  const auto folds = [&choice](const std::string& text) {
    if (is_count(text)) {
      choice.options.folds = count_of("--folds", text);
      choice.folds_given = true;
    } else {
      choice.file = text;
    }
  };
  const auto scheme = [&choice](const std::string& text) {
    const std::vector<std::string> words = scheme_words();
    const std::string& word = one_of("--scheme", text, words);
    set_scheme(
        choice, "--scheme",
        static_cast<FoldScheme>(std::find(words.begin(), words.end(), word) - words.begin()));
  };
  add_grouped(
      syntax, kFolds,
      {{.names = {"--folds"},
        .value = "K|FILE",
        .help = "Number of folds (default 10), or a file that --save-folds wrote",
        .set = folds},
       {.names = {"--scheme"},
        .value = "WORD",
        .help = "How rows are split: " + join(scheme_words(), ", ") +
                " (default: stratified for classes, else kfold)",
        .choices = scheme_words(),
        .set = scheme},
       {.names = {"--stratified"},
        .help = "As --scheme stratified: every fold has the classes in equal shares",
        .takes = Takes::nothing,
        .set =
            [&choice](const std::string&) {
              set_scheme(choice, "--stratified", FoldScheme::stratified);
            }},
       by_column(choice, "--group", "Rows with the same value here stay together; no feature",
                 FoldScheme::group),
       by_column(choice, "--time", "Later rows examine what earlier ones taught; no feature",
                 FoldScheme::time)});
  add_grouped(syntax, kFolds, random_fold_options(choice));
  add_grouped(
      syntax, kFolds,
      {text_option("--save-folds", "FILE", "Keep the folds, to use them again with --folds FILE",
                   choice.save_file)});
}

Folds chosen_folds(const FoldChoice& choice, const Dataset& data, Task task, FitOptions& fit) {
  FoldOptions options = choice.options;
  if (!choice.scheme_given && task == Task::classify) options.scheme = FoldScheme::stratified;
  const bool by_classes = options.scheme == FoldScheme::stratified ||
                          (task == Task::classify && (options.scheme == FoldScheme::five_by_two ||
                                                      options.scheme == FoldScheme::holdout));
  if (by_classes) {
    if (fit.target.size() != 1) usage_error("--stratified", "stratified folds need one target");
    if (task == Task::regress) {
      usage_error("--stratified", "the target is a number: stratified folds need classes");
    }
    options.column = fit.target.front();
  }
  Folds folds = choice.file.empty() ? make_folds(data, options) : folds_of_file(choice.file, data);
  const bool own_column =
      folds.how.scheme == FoldScheme::group || folds.how.scheme == FoldScheme::time;
  const bool chosen_by_name = !fit.features.empty();
  const bool known =
      std::find(fit.ignore.begin(), fit.ignore.end(), folds.how.column) != fit.ignore.end();
  const bool is_target =
      std::find(fit.target.begin(), fit.target.end(), folds.how.column) != fit.target.end();
  if (own_column && !chosen_by_name && !known && !is_target) fit.ignore.push_back(folds.how.column);
  return folds;
}

void check_class_sizes(const FoldChoice& choice, const Folds& folds, const Dataset& data,
                       const Speech& speech) {
  if (!choice.file.empty()) return;
  const std::optional<SmallClass> small = class_below_folds(data, folds.how);
  if (!small) return;
  const std::string message =
      fmt::format("{} stratified folds are more than the {} of class {}, the smallest",
                  folds.how.folds, counted(small->rows, "row"), in_quotes(small->name));
  if (choice.folds_given) {
    usage_error("--folds", message,
                "use fewer folds, or --scheme kfold, where folds may be without a class");
  }
  warn(speech, {message + ": some folds examine without it"});
}

void save_folds(const FoldChoice& choice, const Folds& folds, Overwrite overwrite) {
  if (choice.save_file.empty()) return;
  OutputFile file(choice.save_file, overwrite);
  file.write(to_json(to_value(folds)) + "\n");
  file.commit();
}

void require_measures_apply(const EvaluateOptions& options, Task task) {
  const EvaluateOptions unset;
  const auto refuse = [task](bool given, const char* option, Task measured) {
    if (!given || task == measured) return;
    usage_error(
        option,
        fmt::format("it belongs to {}, and this is {}", task_word(measured), task_word(task)),
        "leave it out");
  };
  const ClassOptions& classes = options.classes;
  refuse(!classes.positive.empty(), "--positive", Task::classify);
  refuse(classes.beta != unset.classes.beta, "--beta", Task::classify);
  refuse(!options.costs.empty(), "--costs", Task::classify);
  refuse(options.numbers.quantile != unset.numbers.quantile, "--quantile", Task::regress);
  refuse(!options.query.empty(), "--query", Task::regress);
  refuse(options.top != unset.top, "--top", Task::regress);
  refuse(!options.truth.empty(), "--truth", Task::cluster);
}

void add_measure_options(Syntax& syntax, EvaluateOptions& options) {
  const std::vector<std::string> methods = {"auto", "normal", "wilson", "exact", "bootstrap"};
  add_grouped(
      syntax, kMeasures,
      {text_option("--positive", "CLASS",
                   "Of two classes, the one that AUC and curves mean "
                   "(default: the second)",
                   options.classes.positive),
       {.names = {"--beta"},
        .value = "X",
        .help = "Also F-beta: 2 weighs recall more than precision",
        .set = [&options](
                   const std::string& text) { options.classes.beta = number_of("--beta", text); }},
       {.names = {"--costs"},
        .value = "A:P=C,...",
        .help = "Cost of predicting P where A is true; other mistakes cost 1, hits 0",
        .set = [&options](const std::string& text) { options.costs = costs_of(text); }},
       {.names = {"--quantile"},
        .value = "Q",
        .help = "Of the quantile loss of numbers (default 0.5)",
        .set =
            [&options](const std::string& text) {
              options.numbers.quantile = number_of("--quantile", text);
            }},
       {.names = {"--interval"},
        .value = join(methods, "|"),
        .help = "Confidence intervals: what fits the figure (auto), or one method for shares, or "
                "the bootstrap for all",
        .choices = methods,
        .set = [&options](const std::string& text) { options.intervals.method = method_of(text); }},
       {.names = {"--level"},
        .value = "X",
        .help = "Confidence of intervals and tests (default 0.95)",
        .set =
            [&options](const std::string& text) {
              options.intervals.level = number_of("--level", text);
              normal_z(options.intervals.level);
            }},
       {.names = {"--resamples"},
        .value = "N",
        .help = "Bootstrap samples (default 1000)",
        .set = [&options](const std::string& text) {
          options.intervals.resamples =
              static_cast<int>(std::min<std::size_t>(count_of("--resamples", text), 1000001));
        }}});
}

void add_decision_options(Syntax& syntax, EvaluateOptions& options) {
  add_grouped(syntax, kMeasures,
              {{.names = {"--threshold", "--call"},
                .value = "CLASS=P",
                .help = "Judge the answers that call this class from the probability P on "
                        "(default: the likeliest class)",
                .set =
                    [&options](const std::string& text) {
                      std::tie(options.threshold_class, options.threshold) = threshold_of(text);
                    }},
               flag_option("--by-costs",
                           "Judge the answers of least expected cost, by --costs (default: the "
                           "likeliest class)",
                           options.by_costs)});
}

Task task_of(const Info& info, const Dataset& data, const FitOptions& fit) {
  return read_target(info, data, {fit.target, fit.classes, fit.task}).task;
}

}  // namespace gradus::cli
