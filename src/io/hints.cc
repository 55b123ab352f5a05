// Parsing of file hints, and the comparison of those that must be the same on all ranks (hints.h).
#include "io/hints.h"

#include <cstdlib>
#include <cstring>

namespace thrum {
namespace {

// A positive number, the whole of the text; false otherwise.
bool parse_number(const std::string *text, int base, long long max, long long &value) {
    if (!text || text->empty())
        return false;
    char *end = nullptr;
    value = std::strtoll(text->c_str(), &end, base);
    return *end == '\0' && value > 0 && value <= max;
}

// Returns whether the text is a list of known styles, separated by commas.
bool is_access_style(const std::string &text) {
    // The words of section 14.2.8.
    static const char *const styles[] = {"read_once",    "write_once", "read_mostly",
                                         "write_mostly", "sequential", "reverse_sequential",
                                         "random"};
    for (size_t start = 0; start <= text.size();) {
        size_t end = text.find(',', start);
        if (end == std::string::npos)
            end = text.size();
        bool known = false;
        for (const char *style : styles)
            known = known || text.compare(start, end - start, style) == 0;
        if (!known)
            return false;
        start = end + 1;
    }
    return true;
}

// The keys of [SAME] in the standard that this library uses.
constexpr const char *same_keys[] = {"collective_buffering", "cb_block_size", "cb_buffer_size",
                                     "cb_nodes", "file_perm"};

} // namespace

void Hints::update(const Info *info) {
    if (!info)
        return;
    constexpr long long bytes_max = 1LL << 40;
    long long value = 0;
    const std::string *switch_text = info->get("collective_buffering");
    if (switch_text && (*switch_text == "true" || *switch_text == "false"))
        collective_buffering = *switch_text == "true";
    if (parse_number(info->get("cb_block_size"), 10, bytes_max, value))
        cb_block_bytes = static_cast<size_t>(value);
    if (parse_number(info->get("cb_buffer_size"), 10, bytes_max, value))
        cb_buffer_bytes = static_cast<size_t>(value);
    if (parse_number(info->get("cb_nodes"), 10, 1 << 20, value))
        cb_nodes = static_cast<int>(value);
    if (parse_number(info->get("file_perm"), 8, 07777, value))
        file_permissions = static_cast<int>(value);
    const std::string *style = info->get("access_style");
    if (style && is_access_style(*style))
        access_style = *style;
}

// Compares texts: two spellings of one number are different values.
Error check_same_hints(const std::vector<const Info *> &infos) {
    for (const char *key : same_keys) {
        const std::string *first = nullptr;
        // A rank that does not give the key accepts any value.
        for (const Info *info : infos) {
            const std::string *value = info ? info->get(key) : nullptr;
            if (!value)
                continue;
            if (first && *first != *value)
                return fail(MPI_ERR_NOT_SAME,
                            "info says \"%s\" for %s on one rank and \"%s\" on another",
                            first->c_str(), key, value->c_str());
            first = value;
        }
    }
    return success;
}

} // namespace thrum
