#include "gradus/core/cgroup.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace gradus {
namespace {

// Processors by quota and period, 0 for no quota.
double granted(double quota, double period) { return quota > 0 && period > 0 ? quota / period : 0; }

// One group of version 2: "max 100000", or "150000 100000" for one and a half processors.
double granted_by_v2(const std::string& folder) {
  std::string quota;
  double period = 0;
  std::ifstream(folder + "/cpu.max") >> quota >> period;
  return quota == "max" ? 0 : granted(std::atof(quota.c_str()), period);
}

double granted_by_v1(const std::string& folder) {
  double quota = 0;
  double period = 0;
  std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
  std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  return granted(quota, period);
}

// The smallest grant from the group at `path` up to the root.
template <class Granted>
double smallest(const std::string& root, std::string path, Granted granted_by) {
  double least = 0;
  while (true) {
    const double here = granted_by(root + path);
    if (here > 0) least = least > 0 ? std::min(least, here) : here;
    if (path.empty()) return least;
    path.erase(path.rfind('/'));
  }
}

// The path of a line `number:controllers:/path`; inside a container it may begin above its root.
std::string group_path(const std::string& line, std::size_t second_colon) {
  std::string path = line.substr(second_colon + 1);
  if (path.empty() || path.front() != '/' || path.find("..") != std::string::npos) return "";
  return path == "/" ? "" : path;
}

bool names_cpu(const std::string& controllers) {
  return ("," + controllers + ",").find(",cpu,") != std::string::npos;
}

}  // namespace

int cgroup_processors(const std::string& groups, const std::string& membership) {
  // Without the file, or where it names a group that cannot be seen from here, the root counts.
  std::string v2_path;
  std::string v1_path;
  std::ifstream lines(membership);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    if (first == std::string::npos) continue;
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controllers.empty()) v2_path = group_path(line, second);
    if (names_cpu(controllers)) v1_path = group_path(line, second);
  }
  double processors = smallest(groups, v2_path, granted_by_v2);
  if (processors <= 0) processors = smallest(groups + "/cpu", v1_path, granted_by_v1);
  return processors > 0 ? std::max(1, static_cast<int>(std::ceil(processors))) : 0;
}

}  // namespace gradus
