#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gradus/data/io/format_testing.hpp"
#include "support/temporary_directory.hpp"

namespace gradus::io {
namespace {

using testing::HasSubstr;

// A database in a folder of its own that is gone after the test.
class Sqlite : public testing::Test {
 protected:
  void SetUp() override {
    path_ = folder_.path("t.db");
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    const char* script =
        "CREATE TABLE p (age INTEGER, pay REAL, job TEXT, photo BLOB, mix);"
        "INSERT INTO p VALUES (39, 0.1, 'clerk', x'00', 1), (NULL, 1e300, NULL, x'01', 'a'),"
        "(9007199254740993, 2, 'cook', x'02', 2);";
    ASSERT_EQ(sqlite3_exec(database, script, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }

  Dataset query(const std::string& sql, const ReadOptions& options = {}) {
    return query_sqlite("sqlite:" + path_ + "?" + sql, options, report_, {});
  }
  Failure query_failure(const std::string& sql) {
    return failure_of([&] { query(sql); });
  }
  std::string file_bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryDirectory folder_;
  std::string path_;
  ReadReport report_;
};

TEST_F(Sqlite, numbers_texts_and_nulls_become_typed_columns) {
  const Dataset data = query("SELECT age, pay, job, age*2 AS twice FROM p");
  EXPECT_EQ(data.names(), (std::vector<std::string>{"age", "pay", "job", "twice"}));
  ASSERT_EQ(data.rows(), 3U);
  EXPECT_EQ(data.column("age").number(0), 39);
  EXPECT_TRUE(data.column("age").missing(1));
  EXPECT_EQ(data.column("pay").number(0), 0.1);
  EXPECT_EQ(data.column("job").levels(), (Levels{"clerk", "cook"}));
  EXPECT_TRUE(data.column("job").missing(1));
  ASSERT_EQ(report_.warnings.size(), 2U);
  EXPECT_THAT(report_.warnings[0], HasSubstr("2^53 or more, where numbers lose digits"));
}

TEST_F(Sqlite, declared_columns_follow_the_declaration) {
  ReadOptions options;
  options.nominal = {"age"};
  options.text = {"job"};
  const Dataset data = query("SELECT age, job FROM p WHERE age = 39", options);
  EXPECT_EQ(data.column("age").levels(), (Levels{"39"}));
  EXPECT_EQ(data.column("job").kind(), ColumnKind::text);
}

TEST_F(Sqlite, what_cannot_be_a_table_is_refused_with_its_place) {
  EXPECT_EQ(query_failure("SELECT photo FROM p").where, path_ + ": row 1, column \"photo\"");
  EXPECT_EQ(query_failure("SELECT mix FROM p").where, path_ + ": row 2, column \"mix\"");
  EXPECT_THAT(query_failure("SELECT 1 AS a, 2 AS a").message, HasSubstr("two columns"));
  EXPECT_THAT(query_failure("SELECT nope FROM p").message, HasSubstr("no such column: nope"));
  EXPECT_THAT(query_failure("SELECT 1; DELETE FROM p").message, HasSubstr("more follows"));
  EXPECT_EQ(query_failure("DELETE FROM p").kind, ErrorKind::usage);
}

TEST_F(Sqlite, the_file_is_never_changed) {
  const std::string before = file_bytes();
  query("SELECT age FROM p");
  EXPECT_EQ(query_failure("WITH a AS (SELECT 1) INSERT INTO p (age) SELECT 1").kind,
            ErrorKind::usage);
  EXPECT_EQ(file_bytes(), before);
}

TEST_F(Sqlite, a_missing_or_foreign_file_is_named) {
  EXPECT_EQ(failure_of([&] {
              query_sqlite("sqlite:" + folder_.path("no.db") + "?SELECT 1", {}, report_, {});
            }).kind,
            ErrorKind::missing_input);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("no.db")));
  const std::string text = folder_.file("x.db", std::string(5000, 'x'));
  const Failure foreign =
      failure_of([&] { query_sqlite("sqlite:" + text + "?SELECT * FROM t", {}, report_, {}); });
  EXPECT_EQ(foreign.kind, ErrorKind::bad_data);
  EXPECT_EQ(foreign.where, text);
  EXPECT_EQ(failure_of([&] { query_sqlite("sqlite:" + path_, {}, report_, {}); }).kind,
            ErrorKind::usage);
}

TEST_F(Sqlite, a_query_without_rows_gives_an_empty_table) {
  const Dataset data = query("SELECT age FROM p WHERE age < 0");
  EXPECT_EQ(data.rows(), 0U);
  EXPECT_EQ(data.columns().size(), 1U);
}

TEST_F(Sqlite, a_request_to_stop_ends_a_long_query) {
  CancelToken cancel;
  cancel.request();
  Context context;
  context.cancel = &cancel;
  const std::string endless =
      "?WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) AS n FROM c";
  EXPECT_EQ(
      failure_of([&] { query_sqlite("sqlite:" + path_ + endless, {}, report_, context); }).kind,
      ErrorKind::interrupted);
}

}  // namespace
}  // namespace gradus::io
