#include "fiber/library_threads.h"

#include <atomic>

namespace thrum {
namespace {

std::atomic<int> count{0};

} // namespace

void add_library_thread() {
    count.fetch_add(1, std::memory_order_relaxed);
}

int library_threads() {
    return count.load(std::memory_order_relaxed);
}

} // namespace thrum
