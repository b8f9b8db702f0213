// The fitted curve: basis functions and the line on them.
#pragma once

#include "gradus/blocks/basis/basis_model.hpp"
#include "gradus/models/linear/basis_regression/params.hpp"
