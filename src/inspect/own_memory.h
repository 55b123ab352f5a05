// Copies of memory of this process that may be freed at the same time: a copy fails where a load
// would end the process. What is copied may be torn or old; the caller finds out by itself whether
// the owner has changed it meanwhile (wait_reader.h).
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace thrum {

// Copies `size_bytes` bytes. Returns false if some of them are not mapped, or if the kernel
// refuses.
bool copy_own_memory(const void *from, size_t size_bytes, void *to);

// The bytes of a T, without its constructor or destructor.
template <class T>
class CopyOf {
public:
    // Returns false if `from` cannot be read.
    bool take(const T *from) { return copy_own_memory(from, sizeof(T), bytes_); }

    const T &operator*() const { return *reinterpret_cast<const T *>(bytes_); }

    const T *operator->() const { return &**this; }

private:
    alignas(T) std::byte bytes_[sizeof(T)];
};

// Copies an array; nothing if it cannot be read.
template <class T>
std::optional<std::vector<T>> copy_own_array(const T *from, size_t count) {
    std::vector<T> copy(count);
    const auto bytes = std::as_writable_bytes(std::span(copy));
    if (count > 0 && !copy_own_memory(from, bytes.size(), bytes.data()))
        return {};
    return copy;
}

} // namespace thrum
