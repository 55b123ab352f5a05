// An observation (src/observe/observation.h) as other programs read it: also while the process that
// writes it runs, and when it was killed in between.
#pragma once
#include "observe/observation.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace observation {

namespace observe = thrum::observe;

inline uint64_t value(const observe::Word &word) {
    return word.load(std::memory_order_relaxed);
}

// An observation, mapped. Its process may have been killed between two writes: offsets are checked.
class Mapping {
public:
    // Throws std::runtime_error if the file cannot be read. A file with fewer than `least_bytes` is
    // not valid: its process has just made it.
    explicit Mapping(const std::string &path, size_t least_bytes = sizeof(observe::Observation));

    ~Mapping();

    Mapping(const Mapping &) = delete;
    Mapping &operator=(const Mapping &) = delete;

    // Returns whether the process has got as far as to make it.
    bool is_valid() const {
        // acquire [observe-3]: the header is complete.
        return begin_ &&
               observation().magic.load(std::memory_order_acquire) ==
                   observe::Observation::magic_number &&
               at<observe::RankRecord>(observation().ranks,
                                       static_cast<size_t>(observation().rank_count));
    }

    const observe::Observation &observation() const {
        return *static_cast<const observe::Observation *>(begin_);
    }

    // Returns the object at the begin of the file; nullptr if the file is not valid.
    template <class T>
    const T *head() const {
        return static_cast<const T *>(begin_);
    }

    // Returns `count` objects at the offset; nullptr if they are not inside the file.
    template <class T>
    const T *at(observe::Offset offset, size_t count = 1) const {
        if (!begin_ || offset == 0 || offset > size_bytes_ ||
            count > (size_bytes_ - offset) / sizeof(T))
            return nullptr;
        return reinterpret_cast<const T *>(static_cast<const char *>(begin_) + offset);
    }

    // Calls visit(entry) for all entries of the table.
    template <class Entry, class Visit>
    void for_each(const observe::Table &table, Visit visit) const {
        // acquire [observe-1]: the entries are where the capacity belongs.
        const uint32_t capacity = table.capacity.load(std::memory_order_acquire);
        const auto *entries = at<Entry>(table.entries.load(std::memory_order_relaxed), capacity);
        for (uint32_t i = 0; entries && i < capacity; ++i)
            if (entries[i].key)
                visit(entries[i]);
    }

    std::string text(observe::Offset offset) const {
        const char *begin = at<char>(offset);
        return begin ? std::string(begin, ::strnlen(begin, size_bytes_ - offset)) : "";
    }

private:
    void *begin_ = nullptr;
    size_t size_bytes_ = 0;
};

// Converts ticks to seconds by two moments that are known in both clocks.
class Clock {
public:
    explicit Clock(const observe::Observation &o);

    double seconds(uint64_t ticks) const { return static_cast<double>(ticks) * seconds_per_tick_; }

private:
    double seconds_per_tick_ = 0;
};

} // namespace observation
