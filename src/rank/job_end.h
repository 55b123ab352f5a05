// The sudden end of the whole job: MPI_Abort, a crash, a deadlock, an error that ends all.
#pragma once

namespace thrum {

// Claims the end of the job, for a caller that finds that the job cannot go on (MPI_Abort, a crash,
// a deadlock). Returns for the first caller, which may then report why and call end_job(). Others
// wait for the end of the process, so that only one report is written.
void claim_end();
// Returns whether a thread has claimed it.
bool end_is_claimed();

// Ends the whole job at once with exit code `code`: claims its end, flushes output and leaves.
[[noreturn]] void end_job(int code);

// Does what end_job() does before the process's own end. From here on no other thread ends it.
void prepare_job_end();

} // namespace thrum
