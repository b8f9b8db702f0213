// The parts of the doctor: each appends what it finds.
#pragma once

#include <cstdint>
#include <vector>

#include "gradus/evaluate/doctor.hpp"

namespace gradus::doctor {

// One number per cell: equal cells have equal keys, different cells different ones (but for a
// chance of 2^-64). All missing cells are equal.
std::vector<std::uint64_t> cell_keys(const Column& column);

// The parts of such keys: of a number, and of a sequence so far and the next key.
std::uint64_t number_key(double x);
std::uint64_t mixed(std::uint64_t state, std::uint64_t key);

// One number per row of sparse features; a stored 0 is as good as none.
std::vector<std::uint64_t> sparse_row_keys(const CsrMatrix& matrix);

// One number per row over the given columns of `data` and its sparse features.
std::vector<std::uint64_t> row_keys(const Dataset& data, const std::vector<std::string>& columns);

void examine_column(const Column& column, bool is_target, Findings& out);
void examine_sparse(const SparseBlock& block, Findings& out);
void find_duplicates(const Dataset& data, Findings& out);
void examine_target(const Column& target, Findings& out);
void find_leaks(const Dataset& data, const Column& target, Findings& out);
void compare_tables(const Dataset& data, const Dataset& other, const std::string& target,
                    Findings& out);

}  // namespace gradus::doctor
