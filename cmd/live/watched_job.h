// A job that is watched, whether it is observed or not.
#pragma once
#include "bare_job.h"
#include "observed_job.h"

#include <memory>
#include <string>
#include <sys/types.h>

namespace live {

class WatchedJob {
public:
    // Finds a job that runs. Throws std::runtime_error.
    explicit WatchedJob(pid_t pid);
    // Watches a job whose processes will write their observations into the directory.
    WatchedJob(const std::string &directory, const std::string &title);

    View look();
    bool has_ended() const;

    // Returns nullptr if the job is not observed: its ranks cannot be held.
    ObservedJob *observed() { return observed_.get(); }

private:
    pid_t pid_ = 0; // 0: not known
    std::unique_ptr<ObservedJob> observed_;
    std::unique_ptr<BareJob> bare_;
};

// Returns how a job has ended, as far as its ranks tell it.
std::string ending_of(const View &view);

} // namespace live
