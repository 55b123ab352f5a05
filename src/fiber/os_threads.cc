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

} // namespace

void list_os_thread(Task &task) {
    LockGuard guard(list().lock);
    list().tasks.push_back(&task);
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
