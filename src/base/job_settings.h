// Settings (settings.h) by which mpiexec tells a process its place in a job of several processes.
#pragma once

namespace thrum {

struct JobSettings {
    // THRUM_NODE_PROCESSES: the processes of the job, and their ranks and nodes (wireup/layout.h);
    // nullptr: mpiexec has not started this process as one of several
    const char *node_processes = nullptr;
    // THRUM_ORIGIN: of a process that was added to a job (wireup/wireup.h); else nullptr
    const char *origin = nullptr;
    // THRUM_FIRST_PROGRAM: number in the job of the first of the programs of this process
    int first_program = 0;
    // THRUM_STATUS: the file of the status page (rank/status_page.h); nullptr: mpiexec does not
    // look
    const char *status = nullptr;
    // THRUM_THROUGH: the programs that need no MPI on the way from mpiexec to the ranks are passed:
    // a debugger, a shell that it starts its program with
    bool goes_through_others = false;
    // The entry THRUM_LAUNCH_PID=... of the environment with which the process began, where
    // /proc/PID/environ shows it; nullptr: not there
    const char *launch_entry = nullptr;
};

const JobSettings &job_settings(); // read with the others, by read_settings()

} // namespace thrum
