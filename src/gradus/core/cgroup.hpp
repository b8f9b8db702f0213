// How many processors the container of this process may use.
//
// A quota may stand at the group of the process or at any group above it (a systemd slice, a pod),
// so all of them are looked at, and the smallest counts. /proc/self/cgroup says which group it is.
#pragma once

#include <string>

namespace gradus {

// Processors granted by cgroup v2 or v1, rounded up; 0 when there is no quota. `groups` is where
// the groups are mounted, `membership` the file that names ours.
int cgroup_processors(const std::string& groups = "/sys/fs/cgroup",
                      const std::string& membership = "/proc/self/cgroup");

}  // namespace gradus
