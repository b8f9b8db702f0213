// The linear-regression problems of NIST's Statistical Reference Datasets: published data and
// certified values, from an average problem to one that most programs fail.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/models/linear/linear_regression/model.hpp"

namespace gradus {
namespace {

// The number of correct digits: -log10 of the relative error.
double digits(double got, double certified) {
  if (got == certified) return 16;
  return -std::log10(std::abs(got - certified) / std::abs(certified));
}

constexpr std::array<std::array<double, 7>, 16> kLongley = {
    {{60323, 83.0, 234289, 2356, 1590, 107608, 1947},
     {61122, 88.5, 259426, 2325, 1456, 108632, 1948},
     {60171, 88.2, 258054, 3682, 1616, 109773, 1949},
     {61187, 89.5, 284599, 3351, 1650, 110929, 1950},
     {63221, 96.2, 328975, 2099, 3099, 112075, 1951},
     {63639, 98.1, 346999, 1932, 3594, 113270, 1952},
     {64989, 99.0, 365385, 1870, 3547, 115094, 1953},
     {63761, 100.0, 363112, 3578, 3350, 116219, 1954},
     {66019, 101.2, 397469, 2904, 3048, 117388, 1955},
     {67857, 104.6, 419180, 2822, 2857, 118734, 1956},
     {68169, 108.4, 442769, 2936, 2798, 120445, 1957},
     {66513, 110.8, 444546, 4681, 2637, 121950, 1958},
     {68655, 112.6, 482704, 3813, 2552, 123366, 1959},
     {69564, 114.2, 502601, 3931, 2514, 125368, 1960},
     {69331, 115.7, 518173, 4806, 2572, 127852, 1961},
     {70551, 116.9, 554894, 4007, 2827, 130081, 1962}}};

Dataset longley() {
  std::vector<Column> columns;
  for (std::size_t j = 0; j < 7; ++j) {
    std::vector<double> values;
    for (const auto& row : kLongley) values.push_back(row[j]);
    columns.push_back(Column::numeric(j == 0 ? "y" : "x" + std::to_string(j), values));
  }
  return Dataset(std::move(columns));
}

class Longley : public testing::TestWithParam<LinearSolver> {};

TEST_P(Longley, has_nine_certified_digits) {
  const auto model = fit(LinearRegression{.solver = GetParam()}, longley(), "y").model();
  constexpr double kCoefficients[] = {-3482258.63459582, 15.0618722713733,  -0.0358191792925910,
                                      -2.02022980381683, -1.03322686717359, -0.0511041056535807,
                                      1829.15146461355};
  constexpr double kErrors[] = {890420.383607373,  84.9149257747669,  0.0334910077722432,
                                0.488399681651699, 0.214274163161675, 0.226073200069370,
                                455.478499142212};
  const LinearStatistics& s = model.statistics[0];
  EXPECT_GT(digits(model.intercept[0], kCoefficients[0]), 9);
  for (std::size_t j = 1; j < 7; ++j) {
    EXPECT_GT(digits(model.coefficients(0, j - 1), kCoefficients[j]), 9) << j;
  }
  for (std::size_t j = 0; j < 7; ++j) EXPECT_GT(digits(s.standard_errors[j], kErrors[j]), 9) << j;
  EXPECT_GT(digits(s.residual_standard_error, 304.854073561965), 9);
  EXPECT_GT(digits(s.r2, 0.995479004577296), 9);
  EXPECT_GT(digits(s.f_statistic, 330.285339234588), 9);
  EXPECT_EQ(model.degrees_of_freedom, 9);
}

INSTANTIATE_TEST_SUITE_P(
    Solvers, Longley, testing::Values(LinearSolver::automatic, LinearSolver::qr, LinearSolver::svd),
    [](const auto& solver) {
      return std::string(enum_names(solver.param)[static_cast<std::size_t>(solver.param)]);
    });

constexpr std::array<std::array<double, 2>, 82> kFilip = {
    {{0.8116, -6.860120914}, {0.9072, -4.324130045}, {0.9052, -4.358625055}, {0.9039, -4.358426747},
     {0.8053, -6.955852379}, {0.8377, -6.661145254}, {0.8667, -6.355462942}, {0.8809, -6.118102026},
     {0.7975, -7.115148017}, {0.8162, -6.815308569}, {0.8515, -6.519993057}, {0.8766, -6.204119983},
     {0.8885, -5.853871964}, {0.8859, -6.109523091}, {0.8959, -5.79832982},  {0.8913, -5.482672118},
     {0.8959, -5.171791386}, {0.8971, -4.851705903}, {0.9021, -4.517126416}, {0.909, -4.143573228},
     {0.9139, -3.709075441}, {0.9199, -3.499489089}, {0.8692, -6.300769497}, {0.8872, -5.953504836},
     {0.89, -5.642065153},   {0.891, -5.031376979},  {0.8977, -4.680685696}, {0.9035, -4.329846955},
     {0.9078, -3.928486195}, {0.7675, -8.56735134},  {0.7705, -8.363211311}, {0.7713, -8.107682739},
     {0.7736, -7.823908741}, {0.7775, -7.522878745}, {0.7841, -7.218819279}, {0.7971, -6.920818754},
     {0.8329, -6.628932138}, {0.8641, -6.323946875}, {0.8804, -5.991399828}, {0.7668, -8.781464495},
     {0.7633, -8.663140179}, {0.7678, -8.473531488}, {0.7697, -8.247337057}, {0.77, -7.971428747},
     {0.7749, -7.676129393}, {0.7796, -7.352812702}, {0.7897, -7.072065318}, {0.8131, -6.774174009},
     {0.8498, -6.478861916}, {0.8741, -6.159517513}, {0.8061, -6.835647144}, {0.846, -6.53165267},
     {0.8751, -6.224098421}, {0.8856, -5.910094889}, {0.8919, -5.598599459}, {0.8934, -5.290645224},
     {0.894, -4.974284616},  {0.8957, -4.64454848},  {0.9047, -4.290560426}, {0.9129, -3.885055584},
     {0.9209, -3.408378962}, {0.9219, -3.13200249},  {0.7739, -8.726767166}, {0.7681, -8.66695597},
     {0.7665, -8.511026475}, {0.7703, -8.165388579}, {0.7702, -7.886056648}, {0.7761, -7.588043762},
     {0.7809, -7.283412422}, {0.7961, -6.995678626}, {0.8253, -6.691862621}, {0.8602, -6.392544977},
     {0.8809, -6.067374056}, {0.8301, -6.684029655}, {0.8664, -6.378719832}, {0.8834, -6.065855188},
     {0.8898, -5.752272167}, {0.8964, -5.132414673}, {0.8963, -4.811352704}, {0.9074, -4.098269308},
     {0.9119, -3.66174277},  {0.9228, -3.2644011}}};

// y = b0 + b1 x + ... + b10 x^10. Rounding the powers to doubles alone moves the exact solution by
// 2e-8: no program that receives the columns can have more than 7 digits of the certified values.
TEST(Filip, has_the_seven_digits_that_double_columns_allow) {
  std::vector<Column> columns;
  std::vector<double> y;
  for (const auto& row : kFilip) y.push_back(row[0]);
  columns.push_back(Column::numeric("y", y));
  for (int power = 1; power <= 10; ++power) {
    std::vector<double> x;
    for (const auto& row : kFilip) x.push_back(std::pow(row[1], power));
    columns.push_back(Column::numeric("x" + std::to_string(power), x));
  }
  const auto model = fit(LinearRegression{}, Dataset(std::move(columns)), "y").model();
  constexpr double kCertified[] = {-1467.48961422980,    -2772.17959193342,     -2316.37108160893,
                                   -1127.97394098372,    -354.478233703349,     -75.1242017393757,
                                   -10.8753180355343,    -1.06221498588947,     -0.0670191154593408,
                                   -0.00246781078275479, -0.402962525080404e-04};
  EXPECT_EQ(model.rank, 10);
  EXPECT_GT(digits(model.intercept[0], kCertified[0]), 6.5);
  for (std::size_t j = 1; j <= 10; ++j) {
    EXPECT_GT(digits(model.coefficients(0, j - 1), kCertified[j]), 6.5) << j;
  }
  EXPECT_GT(digits(model.statistics[0].residual_standard_error, 0.334801051324544e-02), 6.5);
  EXPECT_GT(digits(model.statistics[0].r2, 0.996727416185620), 9);
}

}  // namespace
}  // namespace gradus
