// The last word: of several threads that find that the job is at its end (crashes, a deadlock,
// Ctrl-C), one reports, so that two reports are never mixed.
#pragma once

namespace thrum {

enum class LastWord {
    Granted, // report, then leave()
    Nested,  // this very thread is already reporting: its report has crashed
};

// Claims the job's end (rank/job.h): does not return while another thread has it.
LastWord claim_last_word();

// end_job(code), but at the latest after a few seconds _exit(code): output that cannot be flushed
// (the crash may have happened in a lock's scope) must not keep the process.
[[noreturn]] void leave(int code);

// From now on _exit(code) after a few seconds, whatever the process is at.
void limit_time_to_leave(int code);

// Exit code of a job that ended in a deadlock (docs/debugging.md).
inline constexpr int deadlock_exit_code = 86;

} // namespace thrum
