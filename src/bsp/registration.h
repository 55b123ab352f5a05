// Registration: which areas of a process puts and gets may reach (BSPlib section 3.2.1).
//
// The n-th bsp_push_reg() of all processes makes area number n, of which each process has its own
// part. What a put names is this number; only the owner turns it into an address.
//
// Invariants
// 1. `areas` changes only at the end of the owner's superstep, when all that others want of it in
//    this superstep has come: they may read it before.
// 2. Numbers in `areas` grow: it can be searched by halving.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thrum::bsp {

struct Area {
    char *address = nullptr;
    size_t size_bytes = 0;
    uint64_t number = 0;
};

class Registrations {
public:
    // Take effect with apply().
    void push(const void *address, size_t size_bytes);
    // False if there is no such registration.
    [[nodiscard]] bool pop(const void *address);
    void apply();

    // The last registration of this very address; nullptr: none.
    const Area *find(const void *address) const;
    // The last one that holds all of [address, address + size_bytes).
    const Area *find_containing(const void *address, size_t size_bytes) const;
    const Area *numbered(uint64_t number) const;
    // Whether the address has been registered in this superstep, and is not valid yet.
    bool is_pending(const void *address) const;

    // Says what has been registered and undone so far: equal at all processes that have done the
    // same.
    uint64_t digest() const { return digest_; }

    void add_to_digest(uint64_t value);

private:
    std::vector<Area> areas_;
    std::vector<Area> pushed_; // in this superstep
    std::vector<uint64_t> popped_;
    uint64_t next_number_ = 0;
    uint64_t digest_ = 0;
};

} // namespace thrum::bsp
