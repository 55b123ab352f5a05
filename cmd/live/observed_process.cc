#include "observed_process.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace live {

namespace observe = observation::observe;
using observation::Mapping;
using observation::value;

namespace {

using RankPlace = ObservedProcess::RankPlace;

std::vector<RankPlace> rank_places(const Mapping &mapping, observe::Offset newest_added) {
    const observe::Observation &o = mapping.observation();
    std::vector<RankPlace> places;
    for (int i = 0; i < o.rank_count; ++i)
        places.push_back(
            {o.first_rank + i, o.ranks + static_cast<size_t>(i) * sizeof(observe::RankRecord)});
    observe::Offset offset = newest_added;
    while (const auto *added = mapping.at<observe::AddedRank>(offset)) {
        if (mapping.at<observe::RankRecord>(added->record))
            places.push_back({added->world_rank, added->record});
        offset = added->next;
    }
    return places;
}

} // namespace

ObservedProcess::~ObservedProcess() {
    if (memory_)
        ::munmap(memory_, memory_bytes_);
}

bool ObservedProcess::is_up_to_date() const {
    // acquire [observe-4]: the record of the rank.
    return memory_ && observation().newest_added.load(std::memory_order_acquire) == added_read_;
}

// Leaves everything as it was if the file cannot be mapped: it is removed at the end of the job.
bool ObservedProcess::map() {
    if (is_up_to_date())
        return true;
    std::vector<RankPlace> ranks;
    observe::Offset newest_added = 0;
    try {
        const Mapping mapping(path_);
        if (!mapping.is_valid())
            return false;
        // acquire [observe-4]: the record of the rank.
        newest_added = mapping.observation().newest_added.load(std::memory_order_acquire);
        ranks = rank_places(mapping, newest_added);
    } catch (const std::runtime_error &) {
        return memory_ != nullptr;
    }
    size_t bytes = sizeof(observe::Observation);
    for (const RankPlace &place : ranks)
        bytes = std::max(bytes, place.record + sizeof(observe::RankRecord));
    const int file = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    void *memory =
        file < 0 ? MAP_FAILED : ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        ::close(file);
    if (memory == MAP_FAILED)
        return memory_ != nullptr;
    if (memory_)
        ::munmap(memory_, memory_bytes_);
    memory_ = memory;
    if (!process_)
        process_.emplace(static_cast<pid_t>(value(observation().process_id)));
    memory_bytes_ = bytes;
    ranks_ = std::move(ranks);
    added_read_ = newest_added;
    return true;
}

void ObservedProcess::tell() const {
    std::atomic<uint32_t> &news = observation().control_news;
    // release [hold-2]: the process sees what was written before.
    news.fetch_add(1, std::memory_order_release);
    ::syscall(SYS_futex, &news, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace live
