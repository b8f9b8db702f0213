#include "gradus/data/io/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/core/value.hpp"
#include "gradus/data/io/source.hpp"

namespace gradus::io {
namespace {

class Declarations {
 public:
  explicit Declarations(std::span<const std::string> names)
      : names_(names), declared_(names.size()) {
    for (std::size_t i = 0; i < names.size(); ++i) index_.emplace(names[i], i);
  }

  void declare(const std::string& name, ColumnKind kind, Levels levels, const std::string& by) {
    const auto found = index_.find(name);
    if (found == index_.end()) {
      throw Error(ErrorKind::usage, by, "there is no column " + in_quotes(name), hint_for(name));
    }
    Declaration& declaration = declared_[found->second];
    if (declaration.kind && *declaration.kind != kind) {
      throw Error(ErrorKind::usage, by,
                  fmt::format("column {} is {} as well", in_quotes(name), declaration.why));
    }
    require_distinct(name, levels, by);
    declaration = {kind, std::move(levels), "declared by " + by};
  }

  std::vector<Declaration> take() { return std::move(declared_); }

 private:
  std::string hint_for(const std::string& name) const {
    const std::string near = did_you_mean(name, names_);
    if (!near.empty() || names_.empty()) return near;
    constexpr std::size_t kMostNames = 20;
    const std::vector<std::string> some(names_.begin(),
                                        names_.begin() + std::min(names_.size(), kMostNames));
    return "the columns are " + join(some, ", ") + (some.size() < names_.size() ? ", …" : "");
  }

  static void require_distinct(const std::string& name, const Levels& levels,
                               const std::string& by) {
    std::set<std::string_view> seen;
    for (const std::string& level : levels) {
      if (seen.insert(level).second) continue;
      throw Error(ErrorKind::usage, by,
                  fmt::format("column {}: the level {} is listed twice", in_quotes(name),
                              in_quotes(level)));
    }
  }

  std::span<const std::string> names_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<Declaration> declared_;
};

[[noreturn]] void refuse_schema(const std::string& file, const std::string& message) {
  throw Error(ErrorKind::usage, file, message,
              R"(expected {"columns": {"name": {"kind": "numeric|nominal|ordinal|text"}}})");
}

// What is wrong with a file of declarations is wrong with the command, not with the data.
Value parsed_schema(std::string_view text, const std::string& file) {
  try {
    return parse_json(text, file);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, error.where(), error.message(), error.hint());
  }
}

void declare_from_file(const std::string& file, Declarations& declarations) {
  constexpr std::uint64_t kMaxSchemaBytes = 256U << 20;
  const SourceBytes bytes = read_source(file, {.max_bytes = kMaxSchemaBytes});
  const Value schema = parsed_schema(bytes.view(), file);
  const Value* columns = schema.is_object() ? schema.find("columns") : nullptr;
  if (columns == nullptr || !columns->is_object()) refuse_schema(file, "there is no \"columns\"");
  for (const auto& [name, column] : columns->as_object()) {
    const Value* word = column.is_object() ? column.find("kind") : nullptr;
    const auto kind =
        word != nullptr && word->is_string() ? kind_from_word(word->as_string()) : std::nullopt;
    if (!kind) refuse_schema(file, fmt::format("column {} has no known kind", in_quotes(name)));
    Levels levels;
    if (const Value* listed = column.find("levels"); listed != nullptr) {
      const auto is_text = [](const Value& level) { return level.is_string(); };
      if (!listed->is_array() ||
          !std::all_of(listed->as_array().begin(), listed->as_array().end(), is_text)) {
        refuse_schema(file,
                      fmt::format("the levels of column {} are no list of texts", in_quotes(name)));
      }
      for (const Value& level : listed->as_array()) levels.push_back(level.as_string());
    }
    if (*kind == ColumnKind::ordinal && levels.empty()) {
      refuse_schema(file, fmt::format("column {} is ordinal without levels", in_quotes(name)));
    }
    declarations.declare(name, *kind, std::move(levels), file);
  }
}

}  // namespace

std::vector<Declaration> declared_columns(std::span<const std::string> names,
                                          const ReadOptions& options) {
  Declarations declarations(names);
  if (!options.schema_file.empty()) declare_from_file(options.schema_file, declarations);
  for (const auto& name : options.nominal) {
    declarations.declare(name, ColumnKind::nominal, {}, "--nominal");
  }
  for (const auto& name : options.numeric) {
    declarations.declare(name, ColumnKind::numeric, {}, "--numeric");
  }
  for (const auto& name : options.text) {
    declarations.declare(name, ColumnKind::text, {}, "--text");
  }
  for (const auto& [name, levels] : options.ordinal) {
    declarations.declare(name, ColumnKind::ordinal, levels, "--ordinal");
  }
  return declarations.take();
}

}  // namespace gradus::io
