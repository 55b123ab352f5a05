#include "inspect/python_line.h"

#include "base/spinlock.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>

namespace thrum {
namespace {

// The lines of the process. Ranks that run the same script share them. A call site is the address
// of its entry, plus 1.
constexpr size_t lines_max = 1 << 14;
constinit std::atomic<const char *> lines[lines_max] = {};

// What is at an entry: this, the file, a tab, the function. The line is the location's offset.
constexpr std::string_view path_begin = "python\t";

// Hashes the text of an entry (FNV-1a).
uint32_t number_of_text(const char *text) {
    uint32_t hash = 0x811c9dc5;
    for (; *text; ++text)
        hash = (hash ^ static_cast<unsigned char>(*text)) * 0x01000193;
    return hash;
}

} // namespace

const void *call_site_of_python(std::string_view file, int line, std::string_view function) {
    static SpinLock lock; // guards the next one
    static auto *const numbers = new std::unordered_map<std::string, size_t>;
    std::string text = std::to_string(line) + "\t";
    text.append(path_begin).append(file).append("\t").append(function);
    LockGuard guard(lock);
    if (numbers->size() == lines_max)
        return nullptr;
    const auto [place, is_new] = numbers->try_emplace(std::move(text), numbers->size());
    std::atomic<const char *> &entry = lines[place->second];
    if (is_new) // release [python-line-1]; the keys of the map stay where they are
        entry.store(place->first.c_str(), std::memory_order_release);
    return reinterpret_cast<const char *>(&entry) + 1;
}

Location find_python_location(const void *address) {
    Location location;
    const uintptr_t distance =
        reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(lines);
    if (distance >= sizeof lines)
        return location;
    // acquire [python-line-1]: the text is there
    const char *text = lines[distance / sizeof *lines].load(std::memory_order_acquire);
    for (; text && *text != '\t'; ++text)
        location.offset = location.offset * 10 + static_cast<uintptr_t>(*text - '0');
    location.path = text ? text + 1 : nullptr;
    return location;
}

uint32_t number_of_python_line(const void *call_site) {
    const uintptr_t distance =
        reinterpret_cast<uintptr_t>(call_site) - reinterpret_cast<uintptr_t>(lines);
    if (distance >= sizeof lines)
        return 0;
    // acquire [python-line-1]: the text is there
    const char *text = lines[distance / sizeof *lines].load(std::memory_order_acquire);
    return text ? number_of_text(text) : 0;
}

const void *call_site_of_python_line(uint32_t number) {
    for (std::atomic<const char *> &entry : lines) {
        const char *text = entry.load(std::memory_order_acquire); // [python-line-1]
        if (!text)
            break;
        if (number_of_text(text) == number)
            return reinterpret_cast<const char *>(&entry) + 1;
    }
    return nullptr;
}

bool read_python_location(const Location &location, char *function, size_t function_bytes,
                          char *place, size_t place_bytes) {
    const std::string_view path = location.path ? location.path : "";
    const size_t file_end = path.rfind('\t');
    if (!path.starts_with(path_begin) || file_end < path_begin.size())
        return false;
    std::string_view file = path.substr(0, file_end);
    file.remove_prefix(file.find_last_of("\t/") + 1);
    const std::string_view name = path.substr(file_end + 1);
    std::snprintf(place, place_bytes, "%.*s:%lu", static_cast<int>(file.size()), file.data(),
                  location.offset);
    std::snprintf(function, function_bytes, "%.*s", static_cast<int>(name.size()), name.data());
    return true;
}

} // namespace thrum
