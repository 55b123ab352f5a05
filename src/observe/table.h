// The hash tables of an observation: find an entry, or add it.
#pragma once
#include "observe/observation.h"

namespace thrum::observe {

// Takes `size_bytes` of the file, zero and with this alignment. Returns 0 if the file cannot grow
// (disk full): then nothing new is noted, and Observation::lost counts.
Offset take_room(uint64_t size_bytes, uint64_t alignment = 8);

// The begin of the file in memory.
extern char *file_begin;

template <class T>
T *at(Offset offset) {
    return reinterpret_cast<T *>(file_begin + offset);
}

inline uint64_t mixed(uint64_t key, uint64_t second) {
    uint64_t h = (key ^ second * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;
    return h ^ h >> 32;
}

// Returns the place of an entry with this key, or the free one where it belongs.
template <class Entry>
Entry *look_up(Entry *entries, uint32_t capacity, uint64_t key, uint64_t second) {
    for (uint64_t i = mixed(key, second);; ++i) {
        Entry &entry = entries[i & (capacity - 1)];
        if (!entry.key || (entry.key == key && entry.second == second))
            return &entry;
    }
}

// Doubles the table, whose entries are plain words. Returns whether there was room.
template <class Entry>
[[gnu::noinline]] bool grow(Table &table) {
    const uint32_t capacity = table.capacity.load(std::memory_order_relaxed);
    const uint32_t larger = capacity ? 2 * capacity : 8;
    const Offset room = take_room(larger * sizeof(Entry), alignof(Entry));
    if (!room)
        return false;
    auto *to = at<Entry>(room);
    auto *from = at<Entry>(table.entries.load(std::memory_order_relaxed));
    for (uint32_t i = 0; i < capacity; ++i)
        if (from[i].key)
            __builtin_memcpy(static_cast<void *>(look_up(to, larger, from[i].key, from[i].second)),
                             static_cast<void *>(&from[i]), sizeof(Entry));
    table.entries.store(room, std::memory_order_relaxed);
    // release [observe-1]: a reader that sees the capacity finds the new place, which is larger.
    table.capacity.store(larger, std::memory_order_release);
    return true;
}

// Returns the entry with this key, which is added if it is new; nullptr if there is no room.
template <class Entry>
Entry *entry_of(Table &table, uint64_t key, uint64_t second) {
    const uint32_t capacity = table.capacity.load(std::memory_order_relaxed);
    if (capacity) [[likely]] {
        Entry *found = look_up(at<Entry>(table.entries.load(std::memory_order_relaxed)), capacity,
                               key, second);
        if (found->key) [[likely]]
            return found;
    }
    const uint32_t used = table.used.load(std::memory_order_relaxed);
    if (used >= capacity / 4 * 3 && !grow<Entry>(table))
        return nullptr;
    Entry *added = look_up(at<Entry>(table.entries.load(std::memory_order_relaxed)),
                           table.capacity.load(std::memory_order_relaxed), key, second);
    if constexpr (requires { added->second = second; })
        added->second = second;
    added->key = key;
    table.used.store(used + 1, std::memory_order_relaxed);
    return added;
}

inline void add(Word &word, uint64_t by) {
    word.store(word.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

inline void raise(Word &word, uint64_t to) {
    if (word.load(std::memory_order_relaxed) < to)
        word.store(to, std::memory_order_relaxed);
}

} // namespace thrum::observe
