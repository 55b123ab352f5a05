// What a worker's thread starts must not inherit the worker's binding (fiber/places.h): threads and
// children of a rank may use all processors of the process, as if the rank were one.
#pragma once

namespace thrum {

class Worker;

// Lets the calling worker's thread run on all processors of the process, while it lives. Does
// nothing on other threads, and where workers are not bound. Its holder must not suspend.
class Unbound {
public:
    Unbound();
    ~Unbound();
    Unbound(const Unbound &) = delete;
    Unbound &operator=(const Unbound &) = delete;

private:
    const Worker *worker_; // nullptr: the thread was not bound
};

// Ends the binding that the calling thread has inherited: in the child of a rank's fork(), and on
// spare workers.
void end_binding();

} // namespace thrum
