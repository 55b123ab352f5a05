// Claims the final report. Several threads may find that the job must end (crashes, a deadlock,
// Ctrl-C). Only one of them reports, so that two reports are never mixed.
#pragma once

namespace thrum {

// The result of a claim.
enum class ReportClaim {
    Granted, // report, then leave()
    Nested,  // this thread is already reporting: its report has crashed
};

// Claims the job's end (rank/job.h). Does not return while another thread has it.
ReportClaim claim_final_report();

// Calls end_job(code), but after a few seconds at the latest _exit(code). Output that cannot be
// flushed (the crash may have happened while a lock was held) must not keep the process alive.
[[noreturn]] void leave(int code);

// Makes the process _exit(code) after a few seconds, whatever it is doing. Replaces the program's
// alarm().
void limit_time_to_leave(int code);

// The exit code of a job that ended in a deadlock (docs/debugging.md).
inline constexpr int deadlock_exit_code = 86;

} // namespace thrum
