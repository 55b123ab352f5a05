// The sudden end of the whole job.
#pragma once

namespace thrum {

// Claims the job's end, for a caller that finds that the job cannot go on (MPI_Abort, a crash, a
// deadlock). Returns for the first caller, which may then report why and call end_job(); others
// wait for the end of the process, so that one rank is named and its words stay together.
void claim_end();
// Whether a thread has done so.
bool end_is_claimed();

// Ends the whole job at once with exit code `code`: claims its end, flushes output and leaves.
[[noreturn]] void end_job(int code);

// What end_job() does before the process's own end: from here on nobody else ends it.
void prepare_job_end();

} // namespace thrum
