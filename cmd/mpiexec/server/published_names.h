// The published names of a job (MPI_Publish_name): a table in mpiexec, which the PMIx servers use.
// On several hosts these ask mpiexec through the agents.
#pragma once
#include <string>

namespace mpiexec {

// Gives the answer to question `number` of this process to the client that waits for it.
void finish_question_of_names(int number, const std::string &answer);

// Answers a question, in the process that has the table. Throws UsageError if it is malformed.
std::string answer_about_names(const std::string &question);

} // namespace mpiexec
