// The observation of one process of a job, mapped to read it and to write what its ranks are to do.
#pragma once
#include "observation/mapping.h"
#include "running_process.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace live {

class ObservedProcess {
public:
    // Where the record of a rank is in the file.
    struct RankPlace {
        int rank;
        observation::observe::Offset record;
    };

    explicit ObservedProcess(std::string path) : path_(std::move(path)) {}

    ~ObservedProcess();
    ObservedProcess(const ObservedProcess &) = delete;
    ObservedProcess &operator=(const ObservedProcess &) = delete;

    // Maps the file; again when it has ranks that were added. Returns false if the process is not
    // as far yet. What record() has returned before is no longer valid.
    bool map();

    bool is_mapped() const { return memory_ != nullptr; }

    const std::string &path() const { return path_; }

    observation::observe::Observation &observation() const {
        return *static_cast<observation::observe::Observation *>(memory_);
    }

    const std::vector<RankPlace> &ranks() const { return ranks_; }

    observation::observe::RankRecord &record(const RankPlace &place) const {
        return *reinterpret_cast<observation::observe::RankRecord *>(static_cast<char *>(memory_) +
                                                                     place.record);
    }

    pid_t id() const { return process_->id(); }

    bool is_alive() const { return process_->is_alive(); }

    // Wakes the thread that looks at what was written for the ranks.
    void tell() const;

private:
    bool is_up_to_date() const;

    std::string path_;
    std::optional<RunningProcess> process_; // when the file is mapped
    void *memory_ = nullptr;
    size_t memory_bytes_ = 0;
    std::vector<RankPlace> ranks_;
    observation::observe::Offset added_read_ = 0;
};

} // namespace live
