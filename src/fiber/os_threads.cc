#include "fiber/os_threads.h"

#include "base/spinlock.h"

#include <atomic>

namespace thrum {
namespace {

// A thread in the list. One object for each, since the ThreadSanitizer of a program sees what
// malloc and memmove do, but not this lock: it would report a vector that grows.
struct Listed {
    Task *task;
    Listed *next;
};

struct List {
    SpinLock lock; // guards the following; `count` is also read without it
    Listed *first = nullptr;
    std::atomic<size_t> count{0};
};

List &list() {
    static auto *the_list = new List; // never destroyed: threads may outlive static destructors
    return *the_list;
}

void (*several_threads_function)() = nullptr;

} // namespace

void set_several_threads_function(void (*function)()) {
    several_threads_function = function;
}

void list_os_thread(Task &task) {
    auto *listed = new Listed{&task, nullptr};
    size_t count;
    {
        LockGuard guard(list().lock);
        listed->next = list().first;
        list().first = listed;
        count = list().count.fetch_add(1, std::memory_order_relaxed) + 1;
    }
    if (count > 1 && several_threads_function)
        several_threads_function();
}

void unlist_os_thread(Task &task) {
    Listed *found = nullptr;
    {
        LockGuard guard(list().lock);
        for (Listed **place = &list().first; *place; place = &(*place)->next)
            if ((*place)->task == &task) {
                found = *place;
                *place = found->next;
                list().count.fetch_sub(1, std::memory_order_relaxed);
                break;
            }
    }
    delete found;
}

// Most jobs have none, and --check looks at them in each call.
void visit_os_threads(void (*visit)(Task &task, void *argument), void *argument) {
    if (list().count.load(std::memory_order_relaxed) == 0)
        return;
    LockGuard guard(list().lock);
    for (const Listed *listed = list().first; listed; listed = listed->next)
        visit(*listed->task, argument);
}

} // namespace thrum
