// Tables as JSON Lines: one object per row; missing values are null. Categories false and
// true alone are written as truths, all other categories as texts.
#include "gradus/core/text.hpp"
#include "gradus/core/value.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/row_texts.hpp"
#include "gradus/data/io/table_builder.hpp"

namespace gradus::io {
namespace {

// Two categories true and false go out as the truths they came from.
bool holds_truths(const Column& column) {
  return column.kind() == ColumnKind::nominal && column.levels() == Levels{"false", "true"};
}

// One column on its way out: its key, and its categories as they are written.
struct Member {
  const Column& column;
  std::string key;  // with what stands before and behind it
  std::vector<std::string> levels = {};
};

Member member_of(const Column& column, bool first) {
  Member out{column, (first ? "{" : ",") + to_json(Value(column.name())) + ":"};
  if (!column.is_categorical()) return out;
  const bool truths = holds_truths(column);
  for (const std::string& level : column.levels()) {
    out.levels.push_back(truths ? level : to_json(Value(level)));
  }
  return out;
}

void add_cell(std::string& out, const Member& member, std::size_t row) {
  const Column& column = member.column;
  if (column.missing(row)) {
    out += "null";
  } else if (column.is_numeric()) {
    append_number(out, column, row);
  } else if (column.is_categorical()) {
    out += member.levels[static_cast<std::size_t>(column.code(row))];
  } else {
    out += to_json(Value(column.text_at(row)));
  }
}

}  // namespace

void stream_jsonl(const Dataset& data, const Context& context, const Sink& sink) {
  refuse_weights(data, "JSON Lines");
  if (data.sparse()) {
    throw Error(ErrorKind::usage, "", "JSON Lines cannot hold sparse features",
                "write LIBSVM or ARFF instead");
  }
  std::vector<Member> members;
  for (const Column& column : data.columns()) {
    refuse_infinite(column, "JSON");
    members.push_back(member_of(column, members.empty()));
  }
  const auto add_row = [&](std::string& out, std::size_t row) {
    for (const Member& member : members) {
      out += member.key;
      add_cell(out, member, row);
    }
    out += "}\n";
  };
  stream_rows({}, data.rows(), context, add_row, sink);
}

std::string format_jsonl(const Dataset& data, const WriteOptions&, const Context& context) {
  std::string out;
  stream_jsonl(data, context, [&](std::string_view part) { out += part; });
  return out;
}

}  // namespace gradus::io
