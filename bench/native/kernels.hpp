// The vector kernels as benchmarks of their own: where a learner loses time, this says whether the
// kernel or the way around it is to blame.
#pragma once

namespace gradus::bench {

void register_kernels();

}  // namespace gradus::bench
