// Settings (settings.h) of the fabric: which transports carry messages between node processes.
#pragma once
#include "base/setting_fields.h"

#include <cstddef>

namespace thrum {

struct FabricSettings : FabricSettingFields {
    // What THRUM_FABRIC means. "shm" is shared memory, within a node. For everything that shared
    // memory does not reach: "auto" (the provider that libfabric lists first) or the name of a
    // provider.
    bool shared_memory = true;
    bool network = true;
    static constexpr size_t provider_length_max = 63;
    char provider[provider_length_max + 1] = ""; // "": libfabric's first
};

const FabricSettings &fabric_settings(); // filled by read_settings()

// Stores a list such as "shm,tcp" and its meaning. Returns false if `list` is not of that form.
bool parse_fabric_list(const char *list, FabricSettings &settings);

} // namespace thrum
