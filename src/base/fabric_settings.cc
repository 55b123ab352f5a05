#include "base/fabric_settings.h"

#include <cstring>

namespace thrum {
namespace {

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

} // namespace

bool parse_fabric_list(const char *list, FabricSettings &s) {
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

} // namespace thrum
