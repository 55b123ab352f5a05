// The published names of a job (MPI_Publish_name): a table in mpiexec, of which the PMIx servers
// know. On several hosts these ask mpiexec by way of the agents.
#pragma once
#include <string>

namespace mpiexec {

void finish_question_of_names(int number, const std::string &answer);

// Where the table is.
std::string answer_about_names(const std::string &question);

} // namespace mpiexec
