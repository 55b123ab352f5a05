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
    // THRUM_STATUS: the file of the status page (rank/status_page.h); nullptr: mpiexec does not look
    const char *status = nullptr;
};

const JobSettings &job_settings(); // read with the others, by read_settings()

} // namespace thrum
