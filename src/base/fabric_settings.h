// Settings (settings.h) of the fabric: which transports carry messages between node processes.
#pragma once
#include <cstddef>

namespace thrum {

struct FabricSettings {
    // THRUM_FABRIC: the list of transports that may be used. "shm" is shared memory, within a node.
    // For everything that shared memory does not reach: "auto" (the provider that libfabric lists
    // first) or the name of a provider.
    static constexpr const char *usual_list = "shm,auto";
    const char *list = usual_list;
    bool shared_memory = true;
    bool network = true;
    static constexpr size_t provider_length_max = 63;
    char provider[provider_length_max + 1] = ""; // "": libfabric's first

    // THRUM_SHORT_LIMIT: payloads up to this size travel with their header in one slot of a ring.
    static constexpr size_t short_bytes_most = 8 << 10;
    size_t short_bytes_max = 144;
    // THRUM_NETWORK_EAGER_LIMIT: replaces the eager limit (settings.h), if that is lower, for
    // messages to other nodes.
    size_t network_eager_bytes_max = 64 << 10;
    // THRUM_RECEIVERS: number of threads that wait for messages from other nodes.
    static constexpr int receivers_most = 16;
    int receivers = 1;
    // THRUM_SINGLE_COPY=0: behaves as if the system forbade reading another process's memory.
    bool single_copy = true;
    // THRUM_HUGE_PAGES=0: uses no huge pages and leaves malloc alone.
    bool huge_pages = true;
    // THRUM_HOST_TIMEOUT: another node counts as lost after this many seconds of silence.
    static constexpr int host_timeout_most_s = 1'000'000;
    int host_timeout_s = 4;
};

const FabricSettings &fabric_settings(); // filled by read_settings()

// Fills fabric_settings() from `environment`. Ends the process with a message, like
// read_settings(), if a value is invalid.
void read_fabric_settings(const char *const *environment);

} // namespace thrum
