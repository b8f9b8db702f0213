#include "gradus/core/cgroup.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/temporary_directory.hpp"

namespace gradus {
namespace {

class Cgroups : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(place_.path(file)).parent_path());
    std::ofstream(place_.path(file)) << text;
  }
  int processors() const { return cgroup_processors(place_.path("groups"), place_.path("mine")); }

  TemporaryDirectory place_;
};

TEST_F(Cgroups, without_a_quota_there_is_no_limit) {
  EXPECT_EQ(processors(), 0);
  write("groups/cpu.max", "max 100000\n");
  EXPECT_EQ(processors(), 0);
}

TEST_F(Cgroups, the_quota_of_the_root_counts_rounded_up) {
  write("groups/cpu.max", "150000 100000\n");
  EXPECT_EQ(processors(), 2);
}

TEST_F(Cgroups, the_smallest_quota_from_our_group_to_the_root_counts) {
  write("mine", "0::/user.slice/job\n");
  write("groups/user.slice/job/cpu.max", "max 100000\n");
  write("groups/user.slice/cpu.max", "300000 100000\n");
  EXPECT_EQ(processors(), 3);
  write("groups/user.slice/job/cpu.max", "50000 100000\n");
  EXPECT_EQ(processors(), 1);
}

TEST_F(Cgroups, version_one_is_read_where_version_two_says_nothing) {
  write("mine", "4:memory:/a\n3:cpu,cpuacct:/docker/b\n0::/\n");
  write("groups/cpu/docker/b/cpu.cfs_quota_us", "400000\n");
  write("groups/cpu/docker/b/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(processors(), 4);
  write("groups/cpu/docker/b/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(processors(), 0);
}

TEST_F(Cgroups, a_group_that_cannot_be_seen_from_here_is_passed_over) {
  write("mine", "0::/../../above\nnonsense\n::\n");
  write("groups/cpu.max", "200000 100000\n");
  EXPECT_EQ(processors(), 2);
}

}  // namespace
}  // namespace gradus
