#include "fiber/library_threads.h"

#include "base/spinlock.h"

#include <algorithm>
#include <cstdlib>
#include <dirent.h>
#include <unistd.h>

namespace thrum {
namespace {

struct Threads {
    SpinLock lock; // guards `ids`
    std::vector<int> ids;
};

Threads &known() {
    static auto *threads = new Threads; // never destroyed: threads run while the process exits
    return *threads;
}

} // namespace

void add_library_thread() {
    add_library_thread(::gettid());
}

void add_library_thread(int thread_id) {
    LockGuard guard(known().lock);
    known().ids.push_back(thread_id);
}

bool is_library_thread(int thread_id) {
    LockGuard guard(known().lock);
    return std::ranges::find(known().ids, thread_id) != known().ids.end();
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
