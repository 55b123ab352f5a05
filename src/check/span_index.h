// SpanIndex: things by the memory that they use. They are in lists by the size of their spans, a
// list for each power of two, in the order of addresses. So those that may meet a span of n bytes
// are found by one look-up in each list.
#pragma once
#include "check/buffer_use.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <utility>

namespace thrum {

template <class T>
class SpanIndex {
    using List = std::multimap<uintptr_t, T>; // by the lowest address

public:
    // Where a thing is: valid until it is taken.
    struct Place {
        size_t list;
        typename List::iterator entry;

        T &thing() const { return entry->second; }
    };

    size_t size() const { return size_; }

    Place add(const MemorySpan &span, T thing) {
        const auto list = static_cast<size_t>(std::bit_width(span.size_bytes()));
        ++size_;
        return {list, lists_[list].emplace(span.low, std::move(thing))};
    }

    T take(const Place &place) {
        T taken = std::move(place.entry->second);
        lists_[place.list].erase(place.entry);
        --size_;
        return taken;
    }

    // Calls visit(thing) for the things that may meet `span`, until it returns false, or has been
    // called `visits_max` times: the data of a matrix's columns lie in each other's spans, and a
    // look-up must end.
    template <class Visit>
    void visit_near(const MemorySpan &span, Visit visit) {
        if (size_ == 0)
            return;
        size_t visits = 0;
        for (size_t list = 0; list < lists; ++list) {
            // All spans of the list are shorter than this.
            const uintptr_t length_max = list + 1 < lists ? uintptr_t{1} << list : UINTPTR_MAX;
            auto entry = lists_[list].lower_bound(span.low - std::min(span.low, length_max));
            for (; entry != lists_[list].end() && entry->first < span.high; ++entry)
                if (++visits > visits_max || !visit(entry->second))
                    return;
        }
    }

private:
    static constexpr size_t lists = 65;
    static constexpr size_t visits_max = 1000;

    size_t size_ = 0;
    List lists_[lists];
};

} // namespace thrum
