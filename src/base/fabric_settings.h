// Settings (settings.h) of the fabric: by which ways messages go between node processes.
#pragma once
#include <cstddef>

namespace thrum {

struct FabricSettings {
    // THRUM_FABRIC, a list of what may be used: "shm" (shared memory, within a node) and one of
    // "auto" (the provider that libfabric puts first) or the name of a provider, for whatever
    // shared memory does not reach.
    static constexpr const char *usual_list = "shm,auto";
    const char *list = usual_list;
    bool shared_memory = true;
    bool network = true;
    static constexpr size_t provider_length_max = 63;
    char provider[provider_length_max + 1] = ""; // "": libfabric's first

    // THRUM_SHORT_LIMIT: payloads up to it travel with their header in one slot of a ring.
    static constexpr size_t short_bytes_most = 8 << 10;
    size_t short_bytes_max = 144;
    // THRUM_NETWORK_EAGER_LIMIT: as the eager limit (settings.h), where that is less, for messages
    // to other nodes.
    size_t network_eager_bytes_max = 64 << 10;
    // THRUM_RECEIVERS: threads that wait for messages from other nodes.
    static constexpr int receivers_most = 16;
    int receivers = 1;
    // THRUM_SINGLE_COPY=0: as where the system forbids that a process reads another's memory.
    bool single_copy = true;
    // THRUM_HUGE_PAGES=0: no memory is put into huge pages, and malloc is left as it is.
    bool huge_pages = true;
    // THRUM_HOST_TIMEOUT: after so many seconds of silence another node is lost.
    static constexpr int host_timeout_most_s = 1'000'000;
    int host_timeout_s = 4;
};

const FabricSettings &fabric_settings(); // read with the others, by read_settings()

// Fills fabric_settings() from `environment`; ends the process with a message as read_settings().
void read_fabric_settings(const char *const *environment);

} // namespace thrum
