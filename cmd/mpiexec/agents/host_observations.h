// What the processes on other hosts note about their ranks (src/observe): the agent has a directory
// for it, whose files it sends to mpiexec when the job has ended.
#pragma once
#include "agents/link.h"
#include "plan/options.h"

#include <string>
#include <string_view>

namespace mpiexec {

// The directory on the agent's host.
class HostObservations {
public:
    // Makes the directory that the job's settings name, unless it is there: then this is mpiexec's
    // host, or one that shares its files. Throws UsageError.
    explicit HostObservations(const Options &options);
    ~HostObservations();
    HostObservations(const HostObservations &) = delete;
    HostObservations &operator=(const HostObservations &) = delete;

    // Sends the files over the link, but not what is zero in them.
    void send(Link &link) const;

private:
    std::string directory_; // "": there is nothing to send
};

// Stores a part of a file, the data of a message Word::Observed, in mpiexec's directory.
void keep_observation(const Options &options, std::string_view data);

} // namespace mpiexec
