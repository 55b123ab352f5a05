// The queue of a file without positions. At most one job per file goes through its queue on an I/O
// thread; it ends when the queue is empty, and the next access submits a new one. `running` and the
// list are changed under one lock, so no access is left behind.
#include "io/stream.h"

namespace thrum {

struct StreamQueue {
    SpinLock lock; // guards all below
    StreamAccess *first = nullptr;
    StreamAccess *last = nullptr;
    bool running = false;   // a StreamJob exists
    Offset moved_bytes = 0; // in all, since the file was opened
};

namespace {

// Does the accesses of the queue, one after the other. Holds a reference to the file.
struct StreamJob final : IoJob {
    explicit StreamJob(OpenFile &open_file) : file(open_file) { retain(file); }

    ~StreamJob() override { release(file); }

    void run() override {
        while (StreamAccess *next = take())
            do_it(*next);
        delete this;
    }

    // Takes the first access. If there is none, the job is over as soon as this returns.
    StreamAccess *take() const {
        StreamQueue &queue = *file.stream;
        LockGuard guard(queue.lock);
        StreamAccess *next = queue.first;
        if (!next) {
            queue.running = false;
            return nullptr;
        }
        queue.first = next->next;
        if (!queue.first)
            queue.last = nullptr;
        return next;
    }

    // Moves the bytes of one access and reports it. The position is counted before: a view that is
    // set afterwards begins there.
    void do_it(StreamAccess &next) const {
        Access &access = *next.access;
        access.result = access.writing ? write_stream(file.descriptor, access.span, next.done_bytes)
                                       : read_stream(file.descriptor, access.span, next.done_bytes);
        if (!access.writing && next.done_bytes < access.span.size_bytes)
            access.result.end_of_file = // as if the span's view were the file
                file_position(*access.span.view,
                              access.span.position + static_cast<Offset>(next.done_bytes));
        {
            LockGuard guard(file.stream->lock);
            file.stream->moved_bytes += static_cast<Offset>(next.done_bytes);
        }
        next.on_done(next.argument); // the access may be gone now
    }

    OpenFile &file;
};

} // namespace

std::shared_ptr<StreamQueue> new_stream_queue() {
    return std::make_shared<StreamQueue>();
}

void queue_stream_accesses(OpenFile &file, StreamAccess &first) {
    StreamQueue &queue = *file.stream;
    StreamAccess *last = &first;
    while (last->next)
        last = last->next;
    bool start = false;
    {
        LockGuard guard(queue.lock);
        (queue.last ? queue.last->next : queue.first) = &first;
        queue.last = last;
        start = !queue.running;
        queue.running = true;
    }
    if (start)
        submit(*new StreamJob(file), true);
}

Offset stream_bytes_moved(OpenFile &file) {
    LockGuard guard(file.stream->lock);
    return file.stream->moved_bytes;
}

} // namespace thrum
