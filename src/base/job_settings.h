// Settings (settings.h) with which mpiexec tells a process its place in a job of several processes.
#pragma once

namespace thrum {

struct JobSettings {
    // THRUM_NODE_PROCESSES: the processes of the job, with their ranks and nodes (wireup/layout.h).
    // nullptr: mpiexec did not start this process as one of several.
    const char *node_processes = nullptr;
    // THRUM_ORIGIN: describes a process that was added to a job (wireup/wireup.h); otherwise
    // nullptr.
    const char *origin = nullptr;
    // THRUM_FIRST_PROGRAM: the job-wide number of the first program of this process.
    int first_program = 0;
    // THRUM_STATUS: the file of the status page (rank/status_page.h). nullptr: mpiexec does not
    // read one.
    const char *status = nullptr;
    // THRUM_THROUGH: mpiexec starts the ranks through programs that need no MPI, such as a debugger
    // or the shell with which it starts its program. These programs are left alone.
    bool goes_through_others = false;
    // The entry THRUM_LAUNCH_PID=... of the initial environment, where /proc/PID/environ shows it;
    // nullptr: not set.
    const char *launch_entry = nullptr;
};

const JobSettings &job_settings(); // filled by read_settings()

} // namespace thrum
