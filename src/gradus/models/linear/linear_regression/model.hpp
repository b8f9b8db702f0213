// The fitted line and everything that is known about it.
#pragma once

#include "gradus/blocks/least_squares/model.hpp"
#include "gradus/models/linear/linear_regression/params.hpp"
