#include "gradus/core/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "gradus/core/error.hpp"
#include "gradus/core/read_file.hpp"
#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

std::string content_of(const std::string& path) { return read_whole_file(path, 1 << 30); }

void put(const std::string& path, const std::string& text,
         Overwrite overwrite = Overwrite::replace) {
  OutputFile file(path, overwrite);
  file.write(text);
  file.commit();
}

// The error of writing `text` to `path`.
Error error_of(const std::string& path, Overwrite overwrite = Overwrite::replace,
               const std::string& text = "new") {
  try {
    put(path, text, overwrite);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << path << " was written";
  return Error(ErrorKind::internal, "", "");
}

// Root may write everywhere: tests of permission run as nobody, who owns the test's directory.
class AsNobody {
 public:
  explicit AsNobody(const std::string& directory) : root_(::geteuid() == 0) {
    if (!root_) return;
    EXPECT_EQ(::chown(directory.c_str(), kNobody, kNobody), 0);
    EXPECT_EQ(::seteuid(kNobody), 0);
  }
  ~AsNobody() {
    if (!root_) return;
    EXPECT_EQ(::seteuid(0), 0);
  }

 private:
  static constexpr uid_t kNobody = 65534;
  bool root_;
};

TEST(OutputFile, nothing_is_there_before_commit_and_everything_after) {
  const TemporaryDirectory dir;
  OutputFile file(dir.path("f"), Overwrite::refuse);
  EXPECT_EQ(dir.entries(), 0U);
  file.write("one ");
  file.write(std::as_bytes(std::span("two", 3)));
  EXPECT_FALSE(std::filesystem::exists(dir.path("f")));
  file.commit();
  EXPECT_EQ(content_of(dir.path("f")), "one two");
  EXPECT_EQ(dir.entries(), 1U);
}

TEST(OutputFile, without_commit_the_old_file_stays_and_no_temporary) {
  const TemporaryDirectory dir;
  put(dir.path("f"), "old");
  {
    OutputFile file(dir.path("f"), Overwrite::replace);
    file.write(std::string(3 << 20, 'x'));
    EXPECT_EQ(dir.entries(), 2U);
  }
  EXPECT_EQ(content_of(dir.path("f")), "old");
  EXPECT_EQ(dir.entries(), 1U);
}

TEST(OutputFile, pieces_of_any_size_arrive_in_order) {
  const TemporaryDirectory dir;
  OutputFile file(dir.path("f"), Overwrite::refuse);
  std::string expected;
  for (std::size_t i = 0; i < 40; ++i) {
    const std::string piece(i * i * i * 53, static_cast<char>('a' + i % 26));
    file.write(piece);
    expected += piece;
  }
  file.commit();
  EXPECT_EQ(content_of(dir.path("f")), expected);
}

TEST(OutputFile, a_full_disk_is_known_after_a_flush) {
  OutputFile file("/dev/full", Overwrite::replace);
  file.write(std::string_view("few bytes"));
  EXPECT_THROW(file.flush(), Error);
}

TEST(OutputFile, what_was_flushed_is_written_once) {
  const TemporaryDirectory folder;
  OutputFile file(folder.path("a"), Overwrite::refuse);
  file.write(std::string_view("one "));
  file.flush();
  EXPECT_FALSE(std::filesystem::exists(folder.path("a")));
  file.write(std::string_view("two"));
  file.commit();
  EXPECT_EQ(content_of(folder.path("a")), "one two");
}

TEST(OutputFile, an_empty_file_can_be_written) {
  const TemporaryDirectory dir;
  put(dir.path("f"), "");
  EXPECT_EQ(content_of(dir.path("f")), "");
}

TEST(OutputFile, refuses_early_to_replace_and_says_how_to) {
  const TemporaryDirectory dir;
  put(dir.path("f"), "old");
  try {
    OutputFile file(dir.path("f"), Overwrite::refuse);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cannot_create);
    EXPECT_EQ(error.where(), dir.path("f"));
    EXPECT_NE(error.hint().find("--force"), std::string::npos);
  }
}

TEST(OutputFile, a_file_that_appears_meanwhile_is_not_replaced) {
  const TemporaryDirectory dir;
  OutputFile file(dir.path("f"), Overwrite::refuse);
  file.write("mine");
  put(dir.path("f"), "theirs");
  EXPECT_THROW(file.commit(), Error);
  EXPECT_EQ(content_of(dir.path("f")), "theirs");
  EXPECT_EQ(dir.entries(), 1U);
}

TEST(OutputFile, refuses_early_what_cannot_work) {
  const TemporaryDirectory dir;
  EXPECT_EQ(error_of(dir.path()).kind(), ErrorKind::cannot_create);
  std::filesystem::create_directory(dir.path("sub"));
  EXPECT_EQ(error_of(dir.path("sub")).kind(), ErrorKind::cannot_create);
  EXPECT_EQ(error_of(dir.path("sub/")).kind(), ErrorKind::cannot_create);
  const Error absent = error_of(dir.path("absent/f"));
  EXPECT_EQ(absent.kind(), ErrorKind::cannot_create);
  EXPECT_NE(absent.hint().find("absent"), std::string::npos);
  EXPECT_EQ(error_of(dir.path(std::string(300, 'n'))).kind(), ErrorKind::cannot_create);
  EXPECT_EQ(error_of("").kind(), ErrorKind::usage);
  EXPECT_EQ(error_of("/proc/f").kind() == ErrorKind::cannot_create ||
                error_of("/proc/f").kind() == ErrorKind::permission,
            true);
}

TEST(OutputFile, the_longest_name_that_a_file_can_have_works) {
  const TemporaryDirectory dir;
  put(dir.path(std::string(255, 'n')), "long");
  EXPECT_EQ(content_of(dir.path(std::string(255, 'n'))), "long");
}

TEST(OutputFile, a_protected_directory_or_file_is_a_matter_of_permission) {
  const TemporaryDirectory dir;
  const AsNobody not_root(dir.path());
  put(dir.path("f"), "old");
  ::chmod(dir.path("f").c_str(), 0444);
  EXPECT_EQ(error_of(dir.path("f")).kind(), ErrorKind::permission);
  ::chmod(dir.path().c_str(), 0555);
  EXPECT_EQ(error_of(dir.path("g")).kind(), ErrorKind::permission);
  ::chmod(dir.path().c_str(), 0755);
}

TEST(OutputFile, keeps_the_mode_of_the_file_that_it_replaces) {
  const TemporaryDirectory dir;
  put(dir.path("f"), "old");
  ::chmod(dir.path("f").c_str(), 0640);
  put(dir.path("f"), "new");
  struct stat status {};
  ASSERT_EQ(::stat(dir.path("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

TEST(OutputFile, a_symbolic_link_stays_and_its_target_changes) {
  const TemporaryDirectory dir;
  std::filesystem::create_directory(dir.path("sub"));
  put(dir.path("sub/real"), "old");
  std::filesystem::create_symlink("sub/real", dir.path("link"));
  std::filesystem::create_symlink("link", dir.path("link2"));
  put(dir.path("link2"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(dir.path("link2")));
  EXPECT_TRUE(std::filesystem::is_symlink(dir.path("link")));
  EXPECT_EQ(content_of(dir.path("sub/real")), "new");
  std::filesystem::create_symlink("sub/later", dir.path("dangling"));
  put(dir.path("dangling"), "made");
  EXPECT_EQ(content_of(dir.path("sub/later")), "made");
  std::filesystem::create_symlink("loop", dir.path("loop"));
  EXPECT_EQ(error_of(dir.path("loop")).kind(), ErrorKind::cannot_create);
}

TEST(OutputFile, a_pipe_is_written_straight_through) {
  const TemporaryDirectory dir;
  ASSERT_EQ(::mkfifo(dir.path("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = content_of(dir.path("pipe")); });
  put(dir.path("pipe"), std::string(200000, 'p'), Overwrite::refuse);
  reader.join();
  EXPECT_EQ(got, std::string(200000, 'p'));
  EXPECT_TRUE(std::filesystem::is_fifo(dir.path("pipe")));
}

TEST(OutputFile, an_open_descriptor_can_be_named) {
  const TemporaryDirectory dir;
  const int fd = ::open(dir.path("f").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(::write(fd, "first ", 6), 6);
  put("/dev/fd/" + std::to_string(fd), "second", Overwrite::refuse);
  ASSERT_EQ(::write(fd, " third", 6), 6);  // still open
  ::close(fd);
  EXPECT_EQ(content_of(dir.path("f")), "first second third");
  EXPECT_EQ(error_of("/dev/fd/" + std::to_string(fd)).kind(), ErrorKind::cannot_create);
}

TEST(OutputFile, a_full_device_is_an_error_of_input_and_output) {
  const Error error = error_of("/dev/full");
  EXPECT_EQ(error.kind(), ErrorKind::io);
  EXPECT_EQ(exit_code(error.kind()), 74);
  EXPECT_NE(error.message().find("No space left"), std::string::npos);
}

TEST(OutputFile, a_file_larger_than_allowed_names_the_bytes_and_leaves_the_old_one) {
  const TemporaryDirectory dir;
  put(dir.path("f"), "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 5000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Error error = error_of(dir.path("f"), Overwrite::replace, std::string(3 << 20, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error.kind(), ErrorKind::io);
  EXPECT_NE(error.message().find("after 5000 bytes"), std::string::npos) << error.what();
  EXPECT_EQ(content_of(dir.path("f")), "old");
  EXPECT_EQ(dir.entries(), 1U);
}

}  // namespace
}  // namespace gradus
