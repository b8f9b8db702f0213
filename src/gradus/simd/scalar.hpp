// The plain twins of kernels.hpp: the same functions, one number at a time, no vector instruction.
// They say what the fast ones must give, byte for byte, and the tests hold both side by side.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gradus/simd/kernels.hpp"

namespace gradus::simd::scalar {

double dot(const double* a, const double* b, std::size_t size);
float dot(const float* a, const float* b, std::size_t size);
double sum(const double* x, std::size_t size);
void axpy(double alpha, const double* x, double* y, std::size_t size);
std::size_t first_infinite(const double* x, std::size_t size);
std::size_t first_infinite(const float* x, std::size_t size);
double exp(double x);
double log(double x);
void exp(const double* x, double* out, std::size_t size);
void log(const double* x, double* out, std::size_t size);
void add_moments(const GroupedRows& rows, const GroupMoments& moments);
void squared_distances(const Rows& rows, const PointTable& points, double* out);
void nearest(const Rows& rows, const PointTable& points, std::int32_t* index, double* distance);
void argmin_rows(const Rows& rows, std::size_t cols, std::int32_t* out);

}  // namespace gradus::simd::scalar
