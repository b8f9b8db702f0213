// Against a real server, started here in a folder of its own on a Unix socket and stopped again.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "gradus/data/io/format_testing.hpp"
#include "support/temporary_directory.hpp"

namespace gradus::io {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// The newest folder /usr/lib/postgresql/*/bin with a server; empty when there is none.
fs::path server_programs() {
  fs::path newest;
  std::error_code none;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", none)) {
    const fs::path bin = version.path() / "bin";
    if (fs::exists(bin / "initdb") && fs::exists(bin / "pg_ctl") && bin > newest) newest = bin;
  }
  return newest;
}

class Postgresql : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    bin_ = server_programs();
    if (bin_.empty()) return;
    directory_ = std::make_unique<TemporaryDirectory>();
    folder_ = directory_->path(".");
    // The server refuses to run as root: it then runs as the user that its package brings.
    if (const passwd* user = ::getpwnam("postgres"); ::geteuid() == 0 && user != nullptr) {
      ASSERT_EQ(::chown(folder_.c_str(), user->pw_uid, user->pw_gid), 0);
      as_user_ = "runuser -u postgres -- ";
    }
    ASSERT_TRUE(run(fmt::format("{0}/initdb -D {1}/data -A trust -U tester --no-sync -E UTF8",
                                bin_.string(), folder_)));
    ASSERT_TRUE(
        run(fmt::format("{0}/pg_ctl -D {1}/data -w -l {1}/log -o \"-F -k {1} -c "
                        "listen_addresses=''\" start",
                        bin_.string(), folder_)));
    started_ = true;
    ASSERT_TRUE(run(fmt::format("psql -h {} -U tester -d postgres -c \"{}\"", folder_, kScript)));
  }
  static void TearDownTestSuite() {
    if (started_) {
      EXPECT_TRUE(
          run(fmt::format("{}/pg_ctl -D {}/data -m immediate stop", bin_.string(), folder_)));
    }
    directory_.reset();
  }
  void SetUp() override {
    if (bin_.empty()) GTEST_SKIP() << "no PostgreSQL server under /usr/lib/postgresql/*/bin";
  }

  static bool run(const std::string& command) {
    return std::system(("cd / && " + as_user_ + command + " </dev/null >/dev/null 2>&1").c_str()) ==
           0;
  }
  static std::string address() {
    return fmt::format("postgresql://tester:secret@/postgres?host={}", folder_);
  }
  Dataset query(const std::string& sql, const ReadOptions& options = {}) {
    return query_postgresql(address() + "?" + sql, options, report_, {});
  }
  Failure query_failure(const std::string& sql) {
    return failure_of([&] { query(sql); });
  }

  static constexpr const char* kScript =
      "CREATE TYPE mood AS ENUM ('sad', 'happy');"
      "CREATE TABLE p (b bool, i bigint, f float8, n numeric, t text, d date, s timestamp,"
      " z timestamptz, m mood, y bytea);"
      "INSERT INTO p VALUES"
      " (true, 9007199254740993, 0.1, 12.50, 'clérk', '1970-01-02', '1970-01-01 00:00:01.5',"
      "  '1970-01-01 02:00:00+02', 'happy', 'x'),"
      " (NULL, NULL, 'NaN', NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
      " (false, -9223372036854775808, 1e300, 'NaN', 'cook', '2000-03-01', '2000-03-01',"
      "  '2000-03-01 00:00:00+00', 'sad', 'x');";

  static inline fs::path bin_;
  static inline std::unique_ptr<TemporaryDirectory> directory_;
  static inline std::string folder_;
  static inline std::string as_user_;
  static inline bool started_ = false;
  ReadReport report_;
};

TEST_F(Postgresql, every_type_becomes_its_column) {
  const Dataset data = query("SELECT b, i, f, n, t, d, s, z, m FROM p");
  ASSERT_EQ(data.rows(), 3U);
  EXPECT_EQ(data.column("b").levels(), (Levels{"false", "true"}));
  EXPECT_EQ(data.column("b").text_at(0), "true");
  EXPECT_EQ(data.column("i").number(0), 9007199254740992.0);
  EXPECT_EQ(data.column("i").number(2), -9223372036854775808.0);
  EXPECT_EQ(data.column("f").number(0), 0.1);
  EXPECT_EQ(data.column("f").number(2), 1e300);
  EXPECT_EQ(data.column("n").number(0), 12.5);
  EXPECT_TRUE(data.column("n").missing(2));
  EXPECT_EQ(data.column("t").text_at(0), "cl\xC3\xA9rk");
  EXPECT_EQ(data.column("d").number(0), 86400);
  EXPECT_EQ(data.column("d").number(2), 951868800);
  EXPECT_EQ(data.column("s").number(0), 1.5);
  EXPECT_EQ(data.column("z").number(0), 0);
  EXPECT_EQ(data.column("m").levels(), (Levels{"happy", "sad"}));
  for (const Column& column : data.columns()) EXPECT_TRUE(column.missing(1)) << column.name();
  ASSERT_EQ(report_.warnings.size(), 1U);
  EXPECT_THAT(report_.warnings[0], HasSubstr("2 integers of 2^53 or more"));
}

TEST_F(Postgresql, many_rows_arrive_and_declarations_apply) {
  ReadOptions options;
  options.nominal = {"k"};
  const Dataset data = query(
      "WITH r AS (SELECT generate_series(1, 20000) AS i) SELECT i, i % 3 AS k FROM r", options);
  ASSERT_EQ(data.rows(), 20000U);
  EXPECT_EQ(data.column("i").number(19999), 20000);
  EXPECT_EQ(data.column("k").levels(), (Levels{"0", "1", "2"}));
}

TEST_F(Postgresql, the_query_can_only_read) {
  EXPECT_THAT(query_failure("WITH x AS (DELETE FROM p RETURNING 1) SELECT * FROM x").message,
              HasSubstr("read-only"));
  EXPECT_EQ(query_failure("SELECT 1; DELETE FROM p").kind, ErrorKind::usage);
  EXPECT_EQ(query("SELECT count(*) AS n FROM p").column("n").number(0), 3);
}

TEST_F(Postgresql, what_cannot_be_a_table_is_refused_with_its_place) {
  const std::string where = "postgresql://tester@/postgres";
  EXPECT_EQ(query_failure("SELECT y FROM p").where, where + ": row 1, column \"y\"");
  EXPECT_EQ(query_failure("SELECT 'infinity'::float8 AS f").where, where + ": row 1, column \"f\"");
  const Failure unknown = query_failure("SELECT nope FROM p");
  EXPECT_EQ(unknown.kind, ErrorKind::usage);
  EXPECT_EQ(unknown.where, where);
  EXPECT_THAT(unknown.message, HasSubstr("nope"));
}

TEST(PostgresqlAddress, a_server_that_does_not_answer_is_a_lost_service) {
  ReadReport report;
  const Failure failure = failure_of([&] {
    query_postgresql("postgresql://me:secret@/db?host=/nonexistent?SELECT 1 AS a", {}, report, {});
  });
  EXPECT_EQ(failure.kind, ErrorKind::service_lost);
  EXPECT_EQ(failure.where, "postgresql://me@/db");
  EXPECT_THAT(failure.message, testing::Not(HasSubstr("secret")));
}

TEST(PostgresqlAddress, an_address_without_a_query_is_refused) {
  ReadReport report;
  EXPECT_EQ(failure_of([&] { query_postgresql("postgresql://h/db", {}, report, {}); }).kind,
            ErrorKind::usage);
}

}  // namespace
}  // namespace gradus::io
