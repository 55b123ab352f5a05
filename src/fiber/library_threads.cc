#include "fiber/library_threads.h"

#include <atomic>
#include <dirent.h>

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

int threads_of_process() {
    int threads = 0;
    DIR *directory = ::opendir("/proc/self/task");
    while (const dirent *entry = directory ? ::readdir(directory) : nullptr)
        threads += entry->d_name[0] != '.';
    if (directory)
        ::closedir(directory);
    return threads;
}

} // namespace thrum
