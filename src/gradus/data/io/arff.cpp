// ARFF, the attribute-relation files of Weka: a header of `@attribute name type` lines, then rows.
//
//   @relation weather
//   @attribute outlook {sunny, overcast, rainy}
//   @attribute humidity numeric
//   @data
//   sunny, 85
//   {1 90}, {0.5}        % a sparse row (outlook is its first level) that weighs one half
//
// Values are separated by commas or blanks. Nominal levels keep the declared order. Dates become
// seconds since 1970 (UTC), strings become text columns, relational attributes are refused.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/arff_tokens.hpp"
#include "gradus/data/io/bad_rows.hpp"
#include "gradus/data/io/calendar.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/large_integers.hpp"
#include "gradus/data/io/table_builder.hpp"

namespace gradus::io {
namespace {

enum class ArffType { numeric, nominal, text, date };

constexpr std::string_view kDefaultDate = "yyyy-MM-dd'T'HH:mm:ss";

// One attribute: its declaration and the values read so far.
struct Attribute {
  std::string name;
  ArffType type = ArffType::numeric;
  Levels levels;
  std::unordered_map<std::string, std::int32_t> code_of;
  std::optional<DatePattern> date;
  std::vector<double> numbers;
  std::vector<std::int32_t> codes;
  TextBlock texts;

  void add_missing() {
    if (type == ArffType::text) return texts.push_missing();
    if (type == ArffType::nominal) return codes.push_back(kMissingCode);
    numbers.push_back(std::nan(""));
  }
  // Takes back what a bad row has added.
  void shrink(std::size_t rows) {
    if (type == ArffType::text) return texts.shrink(rows);
    if (type == ArffType::nominal) return codes.resize(std::min(rows, codes.size()));
    numbers.resize(std::min(rows, numbers.size()));
  }
  // What a sparse row means when it leaves the attribute out.
  void add_zero() {
    if (type == ArffType::text) return texts.push_back("");
    if (type == ArffType::nominal) return codes.push_back(levels.empty() ? kMissingCode : 0);
    numbers.push_back(0);
  }
  Column column() {
    if (type == ArffType::text) return Column::text(name, std::move(texts));
    if (type == ArffType::nominal) {
      return Column::nominal(name, std::move(codes), std::move(levels));
    }
    return Column::numeric(name, std::move(numbers));
  }
  std::string why() const {
    switch (type) {
      case ArffType::nominal:
        return fmt::format("declared with {}", counted(levels.size(), "level"));
      case ArffType::text: return "declared string";
      case ArffType::date: return "declared date: seconds since 1970-01-01 UTC";
      default: return "declared numeric";
    }
  }
};

class ArffReader {
 public:
  ArffReader(const Input& input, const ReadOptions& options, ReadReport& report)
      : input_(input),
        options_(options),
        report_(report),
        lines_(input, begin_text(input), options.max_line_bytes) {}

  Dataset read() {
    read_header();
    while (const std::optional<Line> line = lines_.next()) {
      if (!read_or_reject(*line, options_, rejects_, [&] { read_row(*line); })) take_back_row();
    }
    report_rejects(input_, rejects_, options_, report_);
    return finish();
  }

 private:
  void read_header();
  void read_attribute(ArffTokens& tokens, std::size_t offset);
  void read_type(Attribute& attribute, ArffTokens& tokens, std::size_t offset);
  void read_levels(Attribute& attribute, ArffTokens& tokens);
  void read_row(const Line& line);
  void take_back_row();
  void read_dense(ArffTokens& tokens);
  void read_sparse(ArffTokens& tokens);
  void read_weight(ArffTokens& tokens);
  std::size_t read_index(const ArffToken& token, std::optional<std::size_t> before) const;
  void add_value(Attribute& attribute, const ArffToken& token);
  void add_number(Attribute& attribute, const ArffToken& token);
  Dataset finish();

  const Input& input_;
  const ReadOptions& options_;
  ReadReport& report_;
  LineReader lines_;
  std::vector<Attribute> attributes_;
  std::unordered_set<std::string> names_;
  std::vector<double> weights_;  // empty while all rows weigh 1
  std::vector<Reject> rejects_;
  LargeIntegerNotes large_integers_;
  std::size_t rows_ = 0;
};

void ArffReader::read_header() {
  while (const std::optional<Line> line = lines_.next()) {
    ArffTokens tokens(*line);
    const ArffToken first = tokens.next();
    if (first.mark == ArffMark::end) continue;
    const std::string keyword = first.mark == ArffMark::word ? lowercase(first.text) : "";
    const std::size_t offset = first.offset;
    if (keyword == "@attribute") {
      read_attribute(tokens, offset);
    } else if (keyword == "@data") {
      if (attributes_.empty()) refuse(offset, "@data stands before any @attribute");
      return;
    } else if (keyword != "@relation") {
      refuse(offset, "expected @relation, @attribute or @data, got " + in_quotes(trim(line->text)));
    }
  }
  throw Error(ErrorKind::bad_data, place_in(input_, input_.text.size()),
              "the file ends before @data");
}

void ArffReader::read_attribute(ArffTokens& tokens, std::size_t offset) {
  const ArffToken name = tokens.next();
  if (!name.is_value()) refuse(offset, "@attribute needs a name and a type");
  Attribute attribute;
  attribute.name = name.text;
  if (attribute.name.empty()) refuse(name.offset, "the name of the attribute is empty");
  if (!names_.insert(attribute.name).second) {
    refuse(name.offset, "two attributes are named " + in_quotes(attribute.name));
  }
  if (attributes_.size() >= options_.max_columns) {
    refuse_limit(offset, fmt::format("more than {} attributes", options_.max_columns),
                 "raise the limit with --max-columns");
  }
  read_type(attribute, tokens, offset);
  attributes_.push_back(std::move(attribute));
}

void ArffReader::read_type(Attribute& attribute, ArffTokens& tokens, std::size_t offset) {
  const ArffToken token = tokens.next();
  const std::size_t type_offset = token.offset;
  if (token.mark == ArffMark::open) {
    read_levels(attribute, tokens);
  } else if (!token.is_value()) {
    refuse(offset, "@attribute " + in_quotes(attribute.name) + " has no type",
           "the types are numeric, real, integer, string, date and {a, b, …}");
  } else {
    const std::string word = lowercase(token.text);
    if (word == "string") {
      attribute.type = ArffType::text;
    } else if (word == "date") {
      attribute.type = ArffType::date;
      const bool given = tokens.peek().is_value();
      const std::string pattern(given ? tokens.next().text : kDefaultDate);
      at_offset(type_offset, [&] { attribute.date.emplace(pattern); });
    } else if (word != "numeric" && word != "real" && word != "integer") {
      refuse(type_offset,
             fmt::format("attribute {} has the type {}, which is not supported",
                         in_quotes(attribute.name), in_quotes(token.text)),
             "the types are numeric, real, integer, string, date and {a, b, …}");
    }
  }
  const ArffToken after = tokens.next();
  if (after.mark != ArffMark::end) {
    refuse(after.offset, "unexpected text after the type: " + in_quotes(after.text));
  }
}

void ArffReader::read_levels(Attribute& attribute, ArffTokens& tokens) {
  attribute.type = ArffType::nominal;
  bool value_needed = false;
  for (;;) {
    const ArffToken token = tokens.next();
    if (token.mark == ArffMark::close && !value_needed) return;
    if (token.mark == ArffMark::comma && !value_needed && !attribute.levels.empty()) {
      value_needed = true;
      continue;
    }
    if (!token.is_value()) {
      refuse(token.offset, token.mark == ArffMark::end
                               ? "the list of levels has no closing }"
                               : "expected a level or }, got " + in_quotes(token.text));
    }
    if (attribute.levels.size() >= options_.max_categories) {
      refuse_limit(token.offset, fmt::format("more than {} levels", options_.max_categories),
                   "raise the limit with --max-categories");
    }
    const auto code = static_cast<std::int32_t>(attribute.levels.size());
    if (!attribute.code_of.emplace(token.text, code).second) {
      refuse(token.offset, fmt::format("attribute {} has the level {} twice",
                                       in_quotes(attribute.name), in_quotes(token.text)));
    }
    attribute.levels.emplace_back(token.text);
    value_needed = false;
  }
}

void ArffReader::read_row(const Line& line) {
  ArffTokens tokens(line);
  const ArffToken first = tokens.peek();
  if (first.mark == ArffMark::end) return;
  if (first.mark == ArffMark::open) {
    read_sparse(tokens);
  } else {
    read_dense(tokens);
  }
  read_weight(tokens);
  const ArffToken after = tokens.next();
  if (after.mark != ArffMark::end) {
    refuse(after.offset, fmt::format("the row has more values than the {} declared",
                                     counted(attributes_.size(), "attribute")));
  }
  large_integers_.keep_row();
  ++rows_;
}

void ArffReader::take_back_row() {
  for (Attribute& attribute : attributes_) attribute.shrink(rows_);
  if (!weights_.empty()) weights_.resize(rows_);
  large_integers_.drop_row();
}

void ArffReader::read_dense(ArffTokens& tokens) {
  for (std::size_t i = 0; i < attributes_.size(); ++i) {
    if (i > 0 && tokens.peek().mark == ArffMark::comma) tokens.next();
    const ArffToken token = tokens.next();
    if (token.mark == ArffMark::end || token.mark == ArffMark::open) {
      refuse(token.offset, fmt::format("the row has {}, and {} are declared", counted(i, "value"),
                                       counted(attributes_.size(), "attribute")));
    }
    if (!token.is_value()) {
      refuse(token.offset,
             fmt::format("a value of attribute {} is needed here, got {}",
                         in_quotes(attributes_[i].name), in_quotes(token.text)),
             "write ? for a missing value");
    }
    add_value(attributes_[i], token);
  }
}

void ArffReader::read_sparse(ArffTokens& tokens) {
  tokens.next();
  std::size_t filled = 0;
  std::optional<std::size_t> before;
  while (tokens.peek().mark != ArffMark::close) {
    if (before && tokens.peek().mark == ArffMark::comma) tokens.next();
    const std::size_t index = read_index(tokens.next(), before);
    const ArffToken value = tokens.next();
    if (!value.is_value()) refuse(value.offset, "expected `index value` pairs and then }");
    for (; filled < index; ++filled) attributes_[filled].add_zero();
    add_value(attributes_[filled++], value);
    before = index;
  }
  tokens.next();
  for (; filled < attributes_.size(); ++filled) attributes_[filled].add_zero();
}

// An index of a sparse row: in range, and larger than the one before it.
std::size_t ArffReader::read_index(const ArffToken& token,
                                   std::optional<std::size_t> before) const {
  std::size_t index = 0;
  bool digits = token.mark == ArffMark::word && token.text.size() <= 9;
  for (const char c : token.text) {
    digits = digits && c >= '0' && c <= '9';
    if (digits) index = index * 10 + static_cast<std::size_t>(c - '0');
  }
  if (!digits || index >= attributes_.size()) {
    refuse(token.offset, fmt::format("the index of an attribute must be 0 to {} (got {})",
                                     attributes_.size() - 1, in_quotes(token.text)));
  }
  if (before && index <= *before) {
    refuse(token.offset, fmt::format("the indices of a sparse row must ascend (got {} after {})",
                                     index, *before));
  }
  return index;
}

void ArffReader::read_weight(ArffTokens& tokens) {
  ArffToken token = tokens.peek();
  if (token.mark == ArffMark::comma) {
    tokens.next();
    token = tokens.peek();
    if (token.mark == ArffMark::end && !options_.allow_trailing_delimiter) {
      refuse(token.offset, "a value is missing after the last comma",
             "lines that end so are accepted with --allow-trailing-delimiter");
    }
  }
  if (token.mark != ArffMark::open) {
    if (!weights_.empty()) weights_.push_back(1);
    return;
  }
  tokens.next();
  const ArffToken value = tokens.next();
  const std::optional<double> weight = value.is_value() ? parse_number(value.text) : std::nullopt;
  if (!weight || !std::isfinite(*weight) || *weight < 0) {
    refuse(value.offset, "the weight of a row must be a finite number of at least 0 (got " +
                             in_quotes(value.text) + ")");
  }
  const ArffToken close = tokens.next();
  if (close.mark != ArffMark::close) refuse(close.offset, "expected } after the weight");
  if (weights_.empty()) weights_.assign(rows_, 1.0);
  weights_.push_back(*weight);
}

void ArffReader::add_value(Attribute& attribute, const ArffToken& token) {
  if (token.text.size() > options_.max_cell_bytes) {
    refuse_limit(token.offset,
                 fmt::format("the value is longer than {} bytes", options_.max_cell_bytes),
                 "raise the limit with --max-cell-bytes");
  }
  if (token.is_missing()) return attribute.add_missing();
  switch (attribute.type) {
    case ArffType::numeric: return add_number(attribute, token);
    case ArffType::text: return attribute.texts.push_back(token.text);
    case ArffType::nominal: {
      const auto found = attribute.code_of.find(std::string(token.text));
      if (found == attribute.code_of.end()) {
        refuse(token.offset,
               fmt::format("{} is not a declared level of attribute {}", in_quotes(token.text),
                           in_quotes(attribute.name)),
               did_you_mean(token.text, attribute.levels));
      }
      return attribute.codes.push_back(found->second);
    }
    case ArffType::date: {
      const std::optional<double> seconds = attribute.date->parse(token.text);
      if (!seconds) {
        refuse(token.offset, fmt::format("{} is not a date in the format of attribute {}",
                                         in_quotes(token.text), in_quotes(attribute.name)));
      }
      return attribute.numbers.push_back(*seconds);
    }
  }
}

void ArffReader::add_number(Attribute& attribute, const ArffToken& token) {
  const std::optional<double> number = parse_number(token.text);
  if (number && std::isinf(*number) && options_.infinite_is_missing) return attribute.add_missing();
  if (!number || !std::isfinite(*number)) {
    refuse(token.offset,
           fmt::format("attribute {} needs a finite number (got {})", in_quotes(attribute.name),
                       in_quotes(token.text)),
           "write ? for a missing value");
  }
  if (is_large_integer(*number, token.text)) {
    const auto column = static_cast<std::size_t>(&attribute - attributes_.data());
    large_integers_.note(column, token.offset, token.text);
  }
  attribute.numbers.push_back(*number);
}

Dataset ArffReader::finish() {
  report_.format = "arff";
  std::vector<std::string> names;
  for (const Attribute& attribute : attributes_) names.push_back(attribute.name);
  const std::vector<Declaration> declared = declared_columns(names, options_);
  std::vector<Column> columns;
  for (std::size_t j = 0; j < attributes_.size(); ++j) {
    const std::string why = declared[j].kind ? declared[j].why : attributes_[j].why();
    columns.push_back(as_declared(attributes_[j].column(), declared[j], options_.max_categories));
    note_column(report_, columns.back(), why);
  }
  for (const auto& [column, found] : large_integers_.columns()) {
    tell_large_integers(
        {place_in(input_, found.first), "column " + in_quotes(names[column]), found.count,
         in_quotes(found.digits), "if it is an identifier, declare it as string in the file"},
        options_, report_);
  }
  Dataset data(std::move(columns));
  return weights_.empty() ? data : data.with_weights(std::move(weights_));
}

}  // namespace

Dataset parse_arff(const Input& input, const ReadOptions& options, ReadReport& report) {
  return as_errors(input, [&] { return ArffReader(input, options, report).read(); });
}

}  // namespace gradus::io
