#include "comm/call_names.h"

#include "base/spinlock.h"

#include <atomic>

namespace thrum {
namespace {

CallNames call_names{};

// The codes of call sites that were asked for. An entry is never changed: if a plug-in takes the
// place of another one, reports name lines of the first.
struct KnownCode {
    std::atomic<const void *> call_site{nullptr}; // nullptr: free
    std::atomic<uint64_t> code{0};
};

constexpr size_t known_max = 512, probes = 4;
constinit KnownCode known_codes[known_max];
constinit SpinLock known_lock; // held by writers

// Returns the `probe`th place in which the code of a call site may be.
KnownCode &place_of_code(const void *call_site, size_t probe) {
    constexpr uint64_t factor = 0x9e3779b97f4a7c15; // mixes the bits
    const uint64_t mixed = reinterpret_cast<uintptr_t>(call_site) * factor;
    return known_codes[((mixed >> 32) + probe) % known_max];
}

// Finds the code out, and remembers it if there is room.
[[gnu::cold, gnu::noinline]] uint64_t find_code(const void *call_site) {
    const uint64_t code = call_names.code ? call_names.code(call_site) : 0;
    LockGuard guard(known_lock);
    for (size_t probe = 0; probe < probes; ++probe) {
        KnownCode &known = place_of_code(call_site, probe);
        if (known.call_site.load(std::memory_order_relaxed))
            continue;
        known.code.store(code, std::memory_order_relaxed);
        known.call_site.store(call_site, std::memory_order_release); // [call-code-1]
        break;
    }
    return code;
}

} // namespace

void set_call_names(const CallNames &names) {
    call_names = names;
}

std::string name_of_call(const CallPlace &place) {
    return call_names.name ? call_names.name(place.function) : "an MPI call";
}

std::string site_of_call(const CallPlace &place) {
    char text[512] = "an unknown place";
    if (call_names.site)
        call_names.site(place.call_site, text, sizeof text);
    return text;
}

uint64_t number_of_call(const CallPlace &place) {
    return place.call_site && call_names.number ? call_names.number(place.call_site) : 0;
}

uint64_t code_of_call(const CallPlace &place) {
    if (!place.call_site)
        return 0;
    for (size_t probe = 0; probe < probes; ++probe) {
        const KnownCode &known = place_of_code(place.call_site, probe);
        // acquire [call-code-1]: its code.
        const void *there = known.call_site.load(std::memory_order_acquire);
        if (there == place.call_site) [[likely]]
            return known.code.load(std::memory_order_relaxed);
        if (!there)
            break;
    }
    return find_code(place.call_site);
}

const void *call_site_of(uint64_t code) {
    return code && call_names.site_of_code ? call_names.site_of_code(code) : nullptr;
}

} // namespace thrum
