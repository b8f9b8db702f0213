#include "gradus/data/io/passwords.hpp"

#include <gtest/gtest.h>

namespace gradus::io {
namespace {

TEST(Passwords, are_taken_out_of_an_address_and_kept_for_it) {
  EXPECT_EQ(take_password("postgresql://ann:secret@host:5432/db?SELECT a FROM t"),
            "postgresql://ann@host:5432/db?SELECT a FROM t");
  EXPECT_EQ(password_for("postgresql://ann@host:5432/db"), "secret");
  EXPECT_EQ(password_for("postgresql://bob@host:5432/db"), "");
}

TEST(Passwords, are_found_behind_an_option_and_decoded) {
  EXPECT_EQ(take_password("--data=postgres://cid:p%40ss%2Fw%@h/db?SELECT 1"),
            "--data=postgres://cid@h/db?SELECT 1");
  EXPECT_EQ(password_for("postgres://cid@h/db"), "p@ss/w%");
}

TEST(Passwords, among_the_parameters_leave_the_others) {
  EXPECT_EQ(take_password("postgresql://h/a?password=x&host=/tmp?SELECT 1"),
            "postgresql://h/a?host=/tmp?SELECT 1");
  EXPECT_EQ(password_for("postgresql://h/a?host=/tmp"), "x");
  EXPECT_EQ(take_password("postgresql://h/b?host=/tmp&password=y?SELECT 1"),
            "postgresql://h/b?host=/tmp?SELECT 1");
  EXPECT_EQ(password_for("postgresql://h/b?host=/tmp"), "y");
  EXPECT_EQ(take_password("postgresql://h/c?password=z?SELECT 1"), "postgresql://h/c?SELECT 1");
  EXPECT_EQ(password_for("postgresql://h/c"), "z");
}

TEST(Passwords, other_words_stay_as_they_are) {
  for (const std::string word :
       {"iris.csv", "sqlite:a.db?SELECT 'a:b@c'", "postgresql://ann@h/db?SELECT ':x@y'", "",
        "postgresql://h:5432/db?SELECT 1", "postgresql://", "http://a:b@c/"}) {
    EXPECT_EQ(take_password(word), word);
  }
  // Without a query nothing can be read, but nothing is shown either.
  EXPECT_EQ(take_password("postgresql://dan:secret@h/db"), "postgresql://dan@h/db");
}

}  // namespace
}  // namespace gradus::io
