// Numbers that belong to names, as a list parameter says them: "glucose=5,biopsy=200".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

// Who is asked for, and how to say what is wrong with the list.
struct NamedNumbers {
  std::span<const std::string> names;
  std::string_view parameter;  // "costs"
  std::string_view noun;       // "column"
  double otherwise = 1;        // for names that the list does not have
};

// The number of every name. Error{usage} for an item that is not `name=number`, for a name that is
// not there or is given twice, and for a number that is not above 0.
std::vector<double> numbers_by_name(std::span<const std::string> items, const NamedNumbers& wanted);

}  // namespace gradus
