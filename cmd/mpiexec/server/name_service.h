// How a PMIx server answers requests for published names (published_names.h).
#pragma once
#include <pmix_server.h>

#include <string>

namespace mpiexec {

// Makes the server answer requests for names. `ask_elsewhere` (nullptr: the table is here) sends a
// question to mpiexec; the answer must be given to finish_question_of_names(). It is called on
// libpmix's thread.
void serve_names(pmix_server_module_t &module,
                 void (*ask_elsewhere)(int number, const std::string &question));

} // namespace mpiexec
