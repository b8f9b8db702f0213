// A query on a PostgreSQL server: `postgresql://user@host:5432/db?SELECT age, income FROM person`.
//
// Parameters of the address may stand before the query (`…/db?sslmode=require?SELECT …`). The query
// runs alone in a read-only transaction and its rows arrive one by one, so memory holds the table
// and nothing else. Numbers, truths, dates and timestamps (seconds since 1970, UTC) are known by
// their type; every other type is read as its text.
#include <fmt/format.h>
#include <poll.h>

#include <cmath>
#include <memory>

#include "gradus/core/number.hpp"
#include "gradus/core/text.hpp"
#include "gradus/data/io/calendar.hpp"
#include "gradus/data/io/formats.hpp"
#include "gradus/data/io/libpq.hpp"
#include "gradus/data/io/passwords.hpp"
#include "gradus/data/io/query_table.hpp"

namespace gradus::io {
namespace {

struct CloseConnection {
  void operator()(PgConnection* connection) const { libpq().finish(connection); }
};
struct ClearResult {
  void operator()(PgResult* result) const { libpq().clear(result); }
};
using Connection = std::unique_ptr<PgConnection, CloseConnection>;
using Result = std::unique_ptr<PgResult, ClearResult>;

enum class PgKind { truth, integer, number, date, timestamp, bytes, text };

// The kinds by the numbers (OID) that PostgreSQL gives its own types.
PgKind kind_of(unsigned type) {
  switch (type) {
    case 16: return PgKind::truth;
    case 20:                           // int8
    case 21:                           // int2
    case 23:                           // int4
    case 26: return PgKind::integer;   // oid
    case 700:                          // float4
    case 701:                          // float8
    case 1700: return PgKind::number;  // numeric
    case 1082: return PgKind::date;
    case 1114:                            // timestamp
    case 1184: return PgKind::timestamp;  // timestamp with time zone
    case 17: return PgKind::bytes;
    default: return PgKind::text;
  }
}

// The address as errors show it: without a password.
std::string shown(const std::string& address) {
  const std::size_t scheme = address.find("://");
  const std::size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
  const std::size_t at = address.find('@', begin);
  const std::size_t colon = address.find(':', begin);
  std::string safe = address;
  if (at != std::string::npos && colon != std::string::npos && colon < at) {
    safe.erase(colon, at - colon);
  }
  const std::size_t parameters = safe.find('?');
  return safe.substr(0, parameters);
}

std::string one_line(const char* message) {
  std::string text(trim(message != nullptr ? message : ""));
  for (char& c : text) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return escape_controls(text);
}

Connection connect(const std::string& address, const std::string& where) {
  // What stands before dbname are defaults that the address may overrule.
  const std::string password = password_for(address);
  const char* const keywords[] = {"connect_timeout", "application_name", "password",
                                  "dbname",          "client_encoding",  nullptr};
  const char* const values[] = {"10", "gradus", password.c_str(), address.c_str(), "UTF8", nullptr};
  Connection connection(libpq().connect(keywords, values, 1));
  if (connection == nullptr || libpq().connection_status(connection.get()) != 0) {
    throw Error(
        ErrorKind::service_lost, where,
        connection == nullptr ? "out of memory" : one_line(libpq().error_message(connection.get())),
        "check the address and that the server runs");
  }
  // The library would write notices of the server to standard error.
  libpq().set_notice_processor(
      connection.get(), [](void*, const char*) {}, nullptr);
  return connection;
}

[[noreturn]] void refuse_query(PgConnection* connection, const PgResult* result,
                               const std::string& where) {
  const bool lost = libpq().connection_status(connection) != 0;
  const char* message =
      result != nullptr ? libpq().result_error(result) : libpq().error_message(connection);
  throw Error(lost ? ErrorKind::service_lost : ErrorKind::usage, where, one_line(message));
}

void run(PgConnection* connection, const char* command, const std::string& where) {
  const Result result(libpq().exec(connection, command));
  if (result == nullptr ||
      libpq().result_status(result.get()) != static_cast<int>(PgStatus::command_ok)) {
    refuse_query(connection, result.get(), where);
  }
}

// Waits for the next result in short naps, so that the user can stop a long query.
Result next_result(PgConnection* connection, const std::string& where, const Context& context) {
  constexpr int kNapMilliseconds = 200;
  while (libpq().is_busy(connection) != 0) {
    context.stop_if_cancelled();
    pollfd waiting{libpq().socket(connection), POLLIN, 0};
    if (::poll(&waiting, 1, kNapMilliseconds) > 0 && libpq().consume_input(connection) == 0) {
      refuse_query(connection, nullptr, where);
    }
  }
  return Result(libpq().get_result(connection));
}

// Seconds of `2001-02-03`, `2001-02-03 04:05:06.789` and `… +00`; the session's zone is UTC.
std::optional<double> seconds_of(std::string_view text, PgKind kind) {
  static const DatePattern date("yyyy-MM-dd");
  static const DatePattern timestamp("yyyy-MM-dd HH:mm:ss");
  if (kind == PgKind::date) return date.parse(text);
  if (text.ends_with("+00")) text.remove_suffix(3);
  const std::size_t point = text.find('.');
  const std::optional<double> whole = timestamp.parse(text.substr(0, point));
  if (!whole || point == std::string_view::npos) return whole;
  const std::optional<double> part = parse_number("0" + std::string(text.substr(point)));
  return part ? std::optional(*whole + *part) : std::nullopt;
}

void add_integer(QueryTable& table, std::size_t column, std::string_view text) {
  std::int64_t value = 0;
  const bool negative = text.starts_with('-');
  for (const char c : text.substr(negative ? 1 : 0)) {
    // Counted downwards: the most negative integer has no positive twin.
    value = value * 10 - (c - '0');
  }
  table.add_integer(column, negative ? value : -value);
}

void add_cell(QueryTable& table, std::size_t column, PgKind kind, std::string_view text) {
  switch (kind) {
    case PgKind::truth: return table.add_truth(column, text == "t");
    case PgKind::integer: return add_integer(table, column, text);
    case PgKind::number: {
      const std::optional<double> number = parse_number(text);
      if (!number) table.refuse_cell(column, "expected a number, got " + in_quotes(text));
      return table.add_number(column, *number);
    }
    case PgKind::date:
    case PgKind::timestamp: {
      if (text == "infinity" || text == "-infinity") return table.add_number(column, HUGE_VAL);
      const std::optional<double> seconds = seconds_of(text, kind);
      if (!seconds) table.refuse_cell(column, "the date is out of range: " + in_quotes(text));
      return table.add_number(column, *seconds);
    }
    case PgKind::bytes:
      table.refuse_cell(column, "a bytea is not a cell of a table", "leave the column out");
    case PgKind::text: return table.add_text(column, text);
  }
}

// Builds the table from the results of the query, one row each.
class RowCollector {
 public:
  RowCollector(std::string where, const ReadOptions& options)
      : where_(std::move(where)), options_(options) {}

  void add(const PgResult* result, const Context& context) {
    if (!table_) start(result);
    for (int row = 0; row < libpq().rows(result); ++row) {
      for (std::size_t j = 0; j < kinds_.size(); ++j) {
        const int column = static_cast<int>(j);
        if (libpq().is_null(result, row, column) != 0) {
          table_->add_missing(j);
        } else {
          const auto length = static_cast<std::size_t>(libpq().length(result, row, column));
          add_cell(*table_, j, kinds_[j], {libpq().value(result, row, column), length});
        }
      }
      table_->end_row(context);
    }
  }
  std::optional<QueryTable>& table() { return table_; }

 private:
  void start(const PgResult* result) {
    std::vector<std::string> names;
    for (int j = 0; j < libpq().columns(result); ++j) {
      names.emplace_back(libpq().column_name(result, j));
      kinds_.push_back(kind_of(libpq().column_type(result, j)));
    }
    table_.emplace(where_, names, options_);
  }

  std::string where_;
  const ReadOptions& options_;
  std::vector<PgKind> kinds_;
  std::optional<QueryTable> table_;
};

}  // namespace

Dataset query_postgresql(const std::string& source, const ReadOptions& options, ReadReport& report,
                         const Context& context) {
  const QuerySource query = split_query(source);
  const std::string where = shown(query.database);
  const Connection connection = connect(query.database, where);
  PgConnection* server = connection.get();
  for (const char* command : {"SET datestyle TO 'ISO, YMD'", "SET timezone TO 'UTC'",
                              "SET extra_float_digits TO 3", "BEGIN READ ONLY"}) {
    run(server, command, where);
  }
  // The extended protocol takes one statement: a second one after `;` is refused by the server.
  if (libpq().send_query(server, query.query.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0) ==
          0 ||
      libpq().set_single_row_mode(server) == 0) {
    refuse_query(server, nullptr, where);
  }
  RowCollector collector(where, options);
  while (const Result result = next_result(server, where, context)) {
    const int status = libpq().result_status(result.get());
    if (status != static_cast<int>(PgStatus::single_tuple) &&
        status != static_cast<int>(PgStatus::tuples_ok)) {
      refuse_query(server, result.get(), where);
    }
    collector.add(result.get(), context);
  }
  if (!collector.table()) {
    throw Error(ErrorKind::usage, where, "the statement gave no table", "write a SELECT");
  }
  report.format = "postgresql, read-only query";
  return collector.table()->finish(report);
}

}  // namespace gradus::io
