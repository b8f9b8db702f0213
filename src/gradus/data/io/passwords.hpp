// Passwords of databases, kept away from everything that is shown.
//
// An address such as `postgresql://me:secret@host/db?SELECT …` stands in titles, messages and the
// "how to repeat it" of a report. So the command takes the password out of its words before anybody
// sees them, and keeps it here for the moment of connecting.
//
//   const std::string word = io::take_password("postgresql://me:secret@host/db?SELECT 1");
//   io::password_for("postgresql://me@host/db");   // "secret"
#pragma once

#include <string>

namespace gradus::io {

// The word without its password, which is kept for the whole process: the address alone says which
// one it is. A word without an address of PostgreSQL comes back as it is.
std::string take_password(std::string word);

// The password that was taken from this address (without its query); empty if there was none.
std::string password_for(const std::string& database);

}  // namespace gradus::io
