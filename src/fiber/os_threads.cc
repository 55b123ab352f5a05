#include "fiber/os_threads.h"

#include "base/spinlock.h"

namespace thrum {
namespace {

struct List {
    SpinLock lock; // guards `tasks`
    std::vector<Task *> tasks;
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
    size_t count;
    {
        LockGuard guard(list().lock);
        list().tasks.push_back(&task);
        count = list().tasks.size();
    }
    if (count > 1 && several_threads_function)
        several_threads_function();
}

void unlist_os_thread(Task &task) {
    LockGuard guard(list().lock);
    std::erase(list().tasks, &task);
}

void visit_os_threads(void (*visit)(Task &task, void *argument), void *argument) {
    LockGuard guard(list().lock);
    for (Task *task : list().tasks)
        visit(*task, argument);
}

} // namespace thrum
