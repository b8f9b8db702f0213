// The client library of PostgreSQL, loaded when the first query asks for it.
//
// Nothing links against libpq: the command starts without it and works on machines that lack it.
// The functions below have the types that its stable interface (libpq.so.5) documents.
#pragma once

namespace gradus::io {

struct PgConnection;  // PGconn
struct PgResult;      // PGresult

enum class PgStatus {  // ExecStatusType, the values in use
  command_ok = 1,
  tuples_ok = 2,
  single_tuple = 9
};

struct Libpq {
  PgConnection* (*connect)(const char* const* keywords, const char* const* values,
                           int expand_dbname);
  int (*connection_status)(const PgConnection*);  // 0 is good
  const char* (*error_message)(const PgConnection*);
  void (*finish)(PgConnection*);
  int (*socket)(const PgConnection*);
  void* (*set_notice_processor)(PgConnection*, void (*)(void*, const char*), void*);
  PgResult* (*exec)(PgConnection*, const char* command);
  int (*send_query)(PgConnection*, const char* command, int count, const unsigned* types,
                    const char* const* values, const int* lengths, const int* formats,
                    int result_format);
  int (*set_single_row_mode)(PgConnection*);
  int (*consume_input)(PgConnection*);
  int (*is_busy)(PgConnection*);
  PgResult* (*get_result)(PgConnection*);
  int (*result_status)(const PgResult*);
  const char* (*result_error)(const PgResult*);
  int (*rows)(const PgResult*);
  int (*columns)(const PgResult*);
  const char* (*column_name)(const PgResult*, int column);
  unsigned (*column_type)(const PgResult*, int column);
  int (*is_null)(const PgResult*, int row, int column);
  const char* (*value)(const PgResult*, int row, int column);
  int (*length)(const PgResult*, int row, int column);
  void (*clear)(PgResult*);
};

// Error{service_lost} when the library is not installed.
const Libpq& libpq();

}  // namespace gradus::io
