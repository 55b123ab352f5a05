#include "fiber/os_threads.h"

#include "base/spinlock.h"

namespace thrum {
namespace {

// A thread in the list. One object for each, since the ThreadSanitizer of a program sees what
// malloc and memmove do, but not this lock: it would report a vector that grows.
struct Listed {
    Task *task;
    Listed *next;
};

struct List {
    SpinLock lock; // guards the following
    Listed *first = nullptr;
    size_t count = 0;
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
        count = ++list().count;
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
                --list().count;
                break;
            }
    }
    delete found;
}

void visit_os_threads(void (*visit)(Task &task, void *argument), void *argument) {
    LockGuard guard(list().lock);
    for (const Listed *listed = list().first; listed; listed = listed->next)
        visit(*listed->task, argument);
}

} // namespace thrum
