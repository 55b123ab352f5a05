// For tests: data that every rank can compute for every other rank, in buffers of various
// datatypes, so that the expected result of a collective operation needs no communication.
#pragma once
#include "base/testing/seed.h"
#include "coll/coll.h"
#include "datatype/constructors.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace thrum::testing {

// A datatype that consists of whole MPI_UNSIGNEDs.
struct UnsignedType {
    Datatype *type = nullptr;
    int numbers = 1; // MPI_UNSIGNEDs in an element

    explicit UnsignedType(int kind) {
        Datatype &base = *find_datatype(MPI_UNSIGNED);
        const Count backwards[] = {3, 1};
        Error error;
        switch (kind % kinds) {
        case 0:
            type = &base;
            break;
        case 1:
            error = new_contiguous(2, base, type);
            numbers = 2;
            break;
        case 2:
            error = new_vector(2, 1, 3, base, type);
            numbers = 2;
            break;
        default:
            error = new_indexed_block(2, 1, backwards, base, type);
            numbers = 2;
            break;
        }
        if (error)
            std::abort();
        if (!type->predefined)
            type->committed = true;
    }

    ~UnsignedType() { release(*type); }

    UnsignedType(const UnsignedType &) = delete;
    UnsignedType &operator=(const UnsignedType &) = delete;
    static constexpr int kinds = 4;
};

// A buffer of `count` elements, with guards around it.
class TypedBuffer {
public:
    TypedBuffer(const UnsignedType &type, Count count)
        : type_(type), count_(count),
          memory_(static_cast<size_t>(count + 1) * static_cast<size_t>(type.type->extent) +
                      2 * guard,
                  '\x5a') {}

    char *address() { return memory_.data() + guard; }

    Block block() { return {address(), count_, type_.type}; }

    size_t numbers() const {
        return static_cast<size_t>(count_) * static_cast<size_t>(type_.numbers);
    }

    void set(const std::vector<unsigned> &values) {
        if (!values.empty())
            unpack_bytes(values.data(), 0, values.size() * sizeof(unsigned), address(), count_,
                         *type_.type);
    }

    std::vector<unsigned> get() {
        std::vector<unsigned> values(numbers());
        if (!values.empty())
            pack_bytes(address(), count_, *type_.type, 0, values.size() * sizeof(unsigned),
                       values.data());
        return values;
    }

    // Returns whether only the data have been written since construction.
    bool gaps_are_untouched() {
        std::vector<unsigned> values = get(), junk(values.size());
        std::vector<char> fresh(memory_.size(), '\x5a');
        fresh.swap(memory_);
        set(values);
        bool same = fresh == memory_;
        return same;
    }

private:
    static constexpr size_t guard = 64;
    const UnsignedType &type_;
    Count count_;
    std::vector<char> memory_;
};

// Returns number `i` of what `rank` contributes to operation number `operation`, for `peer`.
inline unsigned datum(unsigned operation, int rank, int peer, size_t i) {
    uint64_t x = operation * 0x9e3779b97f4a7c15u +
                 static_cast<unsigned>(rank) * 0xbf58476d1ce4e5b9u +
                 static_cast<unsigned>(peer) * 0x94d049bb133111ebu + i * 0xd6e8feb86659fd93u;
    x ^= x >> 31;
    x *= 0x94d049bb133111ebu;
    x ^= x >> 29;
    return static_cast<unsigned>(x);
}

inline std::vector<unsigned> data(unsigned operation, int rank, int peer, size_t count) {
    std::vector<unsigned> values(count);
    for (size_t i = 0; i < count; ++i)
        values[i] = datum(operation, rank, peer, i);
    return values;
}

} // namespace thrum::testing
