#include "fiber/library_threads.h"

#include <atomic>
#include <cstdlib>
#include <dirent.h>
#include <unistd.h>

namespace thrum {
namespace {

// A thread of the library; never removed. Of a list, since a program's ThreadSanitizer would report
// a vector that grows (os_threads.cc).
struct Known {
    int id;
    Known *next;
};

constinit std::atomic<Known *> known{nullptr};

} // namespace

void add_library_thread() {
    add_library_thread(::gettid());
}

void add_library_thread(int thread_id) {
    auto *added = new Known{thread_id, known.load(std::memory_order_relaxed)};
    // release [library-threads-1]: the new entry.
    while (!known.compare_exchange_weak(added->next, added, std::memory_order_release,
                                        std::memory_order_relaxed)) {
    }
}

bool is_library_thread(int thread_id) {
    // acquire [library-threads-1]
    const Known *thread = known.load(std::memory_order_acquire);
    while (thread && thread->id != thread_id)
        thread = thread->next;
    return thread != nullptr;
}

std::vector<int> threads_of_process() {
    std::vector<int> threads;
    DIR *directory = ::opendir("/proc/self/task");
    while (const dirent *entry = directory ? ::readdir(directory) : nullptr)
        if (entry->d_name[0] != '.')
            threads.push_back(std::atoi(entry->d_name));
    if (directory)
        ::closedir(directory);
    return threads;
}

} // namespace thrum
