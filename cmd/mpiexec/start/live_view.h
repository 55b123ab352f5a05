// mpiexec --top and --live: the programs that show a job while it runs (cmd/live), from the
// observations of its processes. Each reads from a pipe how the job has ended; the pipe also ends
// when mpiexec ends.
#pragma once
#include "plan/options.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace mpiexec {

class LiveView {
public:
    // Starts the programs that the options ask for. They read the directory that the setting
    // `observe` names. Throws UsageError, also if the port of --live cannot be used.
    explicit LiveView(const Options &options);
    ~LiveView();
    LiveView(const LiveView &) = delete;
    LiveView &operator=(const LiveView &) = delete;

    // Tells them how the job has ended, and waits for their ends. Returns `code`.
    int finish(int code);

private:
    struct Viewer {
        pid_t pid;
        int pipe; // its standard input
    };

    void end();
    void start(const std::vector<std::string> &words, int kept_descriptor);

    std::vector<Viewer> viewers_;
};

} // namespace mpiexec
