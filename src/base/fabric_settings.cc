#include "base/fabric_settings.h"

#include "base/check.h"
#include "base/environment_variables.h"

#include <cstdlib>
#include <cstring>

namespace thrum {
namespace {

constinit FabricSettings the_fabric_settings;

bool is_word(const char *text, size_t length, const char *word) {
    return length == std::strlen(word) && std::memcmp(text, word, length) == 0;
}

// Accepts names of providers such as "tcp", "efa" or "verbs;ofi_rxm".
bool can_be_provider(const char *text, size_t length) {
    constexpr const char *characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789_-;";
    return length > 0 && length <= FabricSettings::provider_length_max &&
           std::strspn(text, characters) >= length;
}

// Returns false if `list` is not of the form that FabricSettings::list describes.
bool parse_fabric(const char *list, FabricSettings &s) {
    s.list = list;
    s.shared_memory = s.network = false;
    s.provider[0] = 0;
    for (const char *word = list;;) {
        size_t length = std::strcspn(word, ",");
        if (is_word(word, length, "shm")) {
            s.shared_memory = true;
        } else if (s.network || !can_be_provider(word, length)) {
            return false;
        } else {
            s.network = true;
            if (!is_word(word, length, "auto")) {
                std::memcpy(s.provider, word, length);
                s.provider[length] = 0;
            }
        }
        if (word[length] == 0)
            return true;
        word += length + 1;
    }
}

void read_switch(const char *const *environment, const char *name, bool &value) {
    const char *v = find_variable(environment, name);
    if (v && std::strcmp(v, "0") != 0 && std::strcmp(v, "1") != 0)
        die(2, "%s=%s: expected 0 or 1", name, v);
    if (v)
        value = *v == '1';
}

} // namespace

const FabricSettings &fabric_settings() {
    return the_fabric_settings;
}

void read_fabric_settings(const char *const *environment) {
    FabricSettings &s = the_fabric_settings;
    if (const char *v = find_variable(environment, "THRUM_FABRIC"); v && !parse_fabric(v, s))
        die(2,
            "THRUM_FABRIC=%s: expected \"shm\", \"auto\", the name of a provider of libfabric, or "
            "\"shm\" and one of the others, for example shm,tcp",
            v);
    if (const char *v = find_variable(environment, "THRUM_SHORT_LIMIT");
        v &&
        (!parse_size(v, s.short_bytes_max) || s.short_bytes_max > FabricSettings::short_bytes_most))
        die(2, "THRUM_SHORT_LIMIT=%s: expected a size of at most 8K", v);
    if (const char *v = find_variable(environment, "THRUM_NETWORK_EAGER_LIMIT");
        v && !parse_size(v, s.network_eager_bytes_max))
        die(2, "THRUM_NETWORK_EAGER_LIMIT=%s: expected a size, for example 64K", v);
    if (const char *v = find_variable(environment, "THRUM_RECEIVERS")) {
        size_t count = 0;
        if (!parse_size(v, count) || count < 1 || count > FabricSettings::receivers_most)
            die(2, "THRUM_RECEIVERS=%s: expected a number from 1 to 16", v);
        s.receivers = static_cast<int>(count);
    }
    read_switch(environment, "THRUM_SINGLE_COPY", s.single_copy);
    read_switch(environment, "THRUM_HUGE_PAGES", s.huge_pages);
    if (const char *v = find_variable(environment, "THRUM_HOST_TIMEOUT"); v && *v) {
        char *end = nullptr;
        const double seconds = std::strtod(v, &end);
        if (*end || !(seconds > 1) || seconds > FabricSettings::host_timeout_most_s)
            die(2, "THRUM_HOST_TIMEOUT=%s: expected a number of seconds greater than 1", v);
        s.host_timeout_s = static_cast<int>(seconds);
    }
}

} // namespace thrum
