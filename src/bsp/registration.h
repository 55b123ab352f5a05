// Registration: which areas of a process puts and gets may access (BSPlib section 3.2.1).
//
// The n-th bsp_push_reg() of all processes makes area number n, of which each process has its own
// part. A put names this number; only the owner turns it into an address.
//
// Invariants
// 1. `areas_` changes only at the end of the owner's superstep, when all operations that others do
//    on it in this superstep have arrived: until then they may read it.
// 2. Numbers in `areas_` increase, so it is searched by bisection.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thrum::bsp {

// A process's part of an area.
struct Area {
    char *address = nullptr;
    size_t size_bytes = 0;
    uint64_t number = 0;
};

// A process's areas. Used by its owner; others only call numbered().
class Registrations {
public:
    // Note a registration or its removal, which take effect with apply().
    void push(const void *address, size_t size_bytes);
    // Returns false if there is no such registration.
    [[nodiscard]] bool pop(const void *address);
    // Makes them effective, at the end of the superstep.
    void apply();

    // Returns the last registration of exactly this address; nullptr: there is none.
    const Area *find(const void *address) const;
    // Returns the last area that contains all of [address, address + size_bytes); nullptr: there is
    // none.
    const Area *find_containing(const void *address, size_t size_bytes) const;
    // Returns area `number`; nullptr: there is none.
    const Area *numbered(uint64_t number) const;
    // Returns whether the address was registered in this superstep, and is not valid yet.
    bool is_pending(const void *address) const;

    // Returns a hash of all registrations and removals so far: equal at processes that have made
    // the same calls.
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
