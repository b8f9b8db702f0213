// A query on an SQLite file: `sqlite:people.db?SELECT age, income FROM person`.
//
// The file is opened read-only and exactly one statement that only reads is run. INTEGER and REAL
// cells are numbers, TEXT cells categories, NULL is missing, BLOB is refused.
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <memory>

#include "gradus/core/text.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/query_table.hpp"

namespace gradus::io {
namespace {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct FinishStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, FinishStatement>;

constexpr int kStepsBetweenChecks = 100000;

[[noreturn]] void refuse_query(sqlite3* database, int code, const std::string& path) {
  const auto kind = [&] {
    switch (code & 0xFF) {
      case SQLITE_NOTADB:
      case SQLITE_CORRUPT: return ErrorKind::bad_data;
      case SQLITE_INTERRUPT: return ErrorKind::interrupted;
      case SQLITE_NOMEM:
      case SQLITE_TOOBIG: return ErrorKind::limit;
      case SQLITE_PERM:
      case SQLITE_AUTH: return ErrorKind::permission;
      case SQLITE_IOERR:
      case SQLITE_CANTOPEN:
      case SQLITE_BUSY:
      case SQLITE_LOCKED: return ErrorKind::io;
      default: return ErrorKind::usage;
    }
  };
  throw Error(
      kind(), path,
      fmt::format("SQLite: {}", escape_controls(database != nullptr ? sqlite3_errmsg(database)
                                                                    : sqlite3_errstr(code))));
}

// SQLite says only "unable to open": ask the system for the reason first.
void check_readable(const std::string& path) {
  if (path.empty()) {
    throw Error(ErrorKind::usage, "sqlite:", "the name of the database file is missing",
                "write sqlite:FILE?SELECT …");
  }
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw system_error(errno, path, "open");
  ::close(file);
}

Database open_database(const std::string& path, const Context& context) {
  check_readable(path);
  sqlite3* raw = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(raw);
  if (code != SQLITE_OK) refuse_query(raw, code, path);
  if (context.cancel != nullptr) {
    const auto stop = [](void* token) {
      return static_cast<const CancelToken*>(token)->requested() ? 1 : 0;
    };
    sqlite3_progress_handler(raw, kStepsBetweenChecks, stop,
                             const_cast<CancelToken*>(context.cancel));
  }
  return database;
}

Statement prepare(sqlite3* database, const QuerySource& source) {
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v2(database, source.query.c_str(),
                                      static_cast<int>(source.query.size()) + 1, &raw, &rest);
  Statement statement(raw);
  if (code != SQLITE_OK) refuse_query(database, code, source.database);
  if (!trim(rest).empty()) {
    throw Error(ErrorKind::usage, source.database,
                "one SELECT is allowed, and more follows: " + in_quotes(trim(rest)));
  }
  if (raw == nullptr || sqlite3_stmt_readonly(raw) == 0 || sqlite3_column_count(raw) == 0) {
    throw Error(ErrorKind::usage, source.database, "the statement must be a SELECT",
                "the database is never changed");
  }
  return statement;
}

std::string_view text_cell(sqlite3_stmt* statement, int column) {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  const auto length = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, length);
}

void add_cell(QueryTable& table, std::size_t column, sqlite3_stmt* statement) {
  const int index = static_cast<int>(column);
  switch (sqlite3_column_type(statement, index)) {
    case SQLITE_NULL: return table.add_missing(column);
    case SQLITE_INTEGER: return table.add_integer(column, sqlite3_column_int64(statement, index));
    case SQLITE_FLOAT: return table.add_number(column, sqlite3_column_double(statement, index));
    case SQLITE_TEXT: return table.add_text(column, text_cell(statement, index));
    default: table.refuse_cell(column, "a BLOB is not a cell of a table", "leave the column out");
  }
}

}  // namespace

Dataset query_sqlite(const std::string& source, const ReadOptions& options, ReadReport& report,
                     const Context& context) {
  constexpr std::string_view kScheme = "sqlite:";
  const bool named = source.starts_with(kScheme);
  const QuerySource query = split_query(named ? source.substr(kScheme.size()) : source);
  if (query.query.size() > 1000000) {
    throw Error(ErrorKind::limit, query.database, "the query is longer than 1000000 bytes");
  }
  const Database database = open_database(query.database, context);
  const Statement statement = prepare(database.get(), query);
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(statement.get()); ++i) {
    const char* name = sqlite3_column_name(statement.get(), i);
    names.emplace_back(name != nullptr ? name : "");
  }
  QueryTable table(query.database, names, options);
  for (;;) {
    const int code = sqlite3_step(statement.get());
    if (code == SQLITE_DONE) break;
    if (code == SQLITE_INTERRUPT) context.stop_if_cancelled();
    if (code != SQLITE_ROW) refuse_query(database.get(), code, query.database);
    for (std::size_t j = 0; j < names.size(); ++j) add_cell(table, j, statement.get());
    table.end_row(context);
  }
  report.format = "sqlite, read-only query";
  return table.finish(report);
}

}  // namespace gradus::io
