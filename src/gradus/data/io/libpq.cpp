#include "gradus/data/io/libpq.hpp"

#include <dlfcn.h>

#include <string>

#include "gradus/core/error.hpp"

namespace gradus::io {
namespace {

void* open_library() {
  for (const char* name : {"libpq.so.5", "libpq.so", "libpq.5.dylib"}) {
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
  }
  throw Error(ErrorKind::service_lost,
              "postgresql:", "the client library of PostgreSQL (libpq) is not on this machine",
              "install libpq5");
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) {
    throw Error(ErrorKind::service_lost,
                "postgresql:", std::string("the client library of PostgreSQL lacks ") + name,
                "update libpq5");
  }
}

Libpq load() {
  void* library = open_library();
  Libpq api;
  find(library, "PQconnectdbParams", api.connect);
  find(library, "PQstatus", api.connection_status);
  find(library, "PQerrorMessage", api.error_message);
  find(library, "PQfinish", api.finish);
  find(library, "PQsocket", api.socket);
  find(library, "PQsetNoticeProcessor", api.set_notice_processor);
  find(library, "PQexec", api.exec);
  find(library, "PQsendQueryParams", api.send_query);
  find(library, "PQsetSingleRowMode", api.set_single_row_mode);
  find(library, "PQconsumeInput", api.consume_input);
  find(library, "PQisBusy", api.is_busy);
  find(library, "PQgetResult", api.get_result);
  find(library, "PQresultStatus", api.result_status);
  find(library, "PQresultErrorMessage", api.result_error);
  find(library, "PQntuples", api.rows);
  find(library, "PQnfields", api.columns);
  find(library, "PQfname", api.column_name);
  find(library, "PQftype", api.column_type);
  find(library, "PQgetisnull", api.is_null);
  find(library, "PQgetvalue", api.value);
  find(library, "PQgetlength", api.length);
  find(library, "PQclear", api.clear);
  return api;
}

}  // namespace

const Libpq& libpq() {
  static const Libpq api = load();  // loaded once, also when several threads ask
  return api;
}

}  // namespace gradus::io
