// The target's side of rma/remote_access.h: handles messages where they arrive (fabric/fabric.h: on
// any thread, one at a time in a process, without waiting). No rank of the target takes part.
//
// Locks that ranks of other processes hold are listed here, so that they can be released if that
// process is lost.
#include "base/check.h"
#include "comm/span.h"
#include "datatype/layout_bytes.h"
#include "pt2pt/lost.h"
#include "rma/accumulate.h"
#include "rma/epoch.h"
#include "rma/one_sided_message.h"
#include "rma/remote_access.h"
#include "rma/stripe.h"
#include "rma/window_lifecycle.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <vector>

namespace thrum {
namespace {

using What = OneSidedHeader::What;

// Returns the window object that the header names. An unknown one is a bug: windows end after all
// members have flushed and met.
Window &window_of(const OneSidedHeader &header) {
    auto *win = reinterpret_cast<Window *>(header.window);
    CHECK(is_live(win), "a one-sided operation of rank %d on an unknown window", header.rank);
    return *win;
}

Stripes stripes_at(const OneSidedHeader &header) {
    const Window &win = window_of(header);
    return stripes_of(win.parts[win.rank].mapped, win.stripe_shift);
}

// Sends an answer. Returns false if the process is lost.
bool answer(NodeProcess process, What what, uint64_t reply, uint64_t value = 0,
            const void *data = nullptr, size_t size_bytes = 0) MAY_SUSPEND {
    OneSidedHeader header{.what = what};
    header.reply = reply;
    header.address = value;
    return send_one_sided(process, header, data, size_bytes);
}

// The target buffer that a message describes.
class Place {
public:
    Place(const OneSidedHeader &header, const Arrival &arrival)
        : address_(reinterpret_cast<char *>(header.address)), first_byte_(header.first_byte),
          size_bytes_(header.size_bytes), count_(static_cast<Count>(header.count)) {
        if (header.type_bytes > 0)
            type_ = read_layout(static_cast<const char *>(arrival.payload), header.type_bytes);
    }

    ~Place() {
        if (type_)
            release(*type_);
    }

    Place(const Place &) = delete;
    Place &operator=(const Place &) = delete;

    size_t size_bytes() const { return size_bytes_; }

    // Writes packed data to the target.
    void store(const void *data) const {
        if (type_)
            unpack_bytes(data, first_byte_, size_bytes_, address_, count_, *type_);
        else
            std::memcpy(address_, data, size_bytes_);
    }

    // Reads the target's data in packed form.
    void load(void *data) const {
        if (type_)
            pack_bytes(address_, count_, *type_, first_byte_, size_bytes_, data);
        else
            std::memcpy(data, address_, size_bytes_);
    }

    void combine(OpKind op, const Datatype &element, const void *in, void *out,
                 const Stripes &stripes) const {
        PackedTarget target{address_, count_, type_, first_byte_, size_bytes_};
        combine_packed(op, element, in, out, target, stripes);
    }

private:
    char *address_;
    size_t first_byte_;
    size_t size_bytes_;
    Count count_;
    Datatype *type_ = nullptr; // nullptr: dense
};

const char *data_of(const OneSidedHeader &header, const Arrival &arrival) {
    return static_cast<const char *>(arrival.payload) + header.type_bytes;
}

// The contents of an answer; small ones need no allocation.
class Answer {
public:
    explicit Answer(size_t size_bytes) {
        if (size_bytes > sizeof small_) {
            large_ = std::malloc(size_bytes);
            CHECK(large_, "out of memory for %zu bytes of a one-sided operation", size_bytes);
        }
    }

    ~Answer() { std::free(large_); }

    Answer(const Answer &) = delete;
    Answer &operator=(const Answer &) = delete;

    void *data() { return large_ ? large_ : small_; }

private:
    alignas(16) char small_[256];
    void *large_ = nullptr;
};

// A read of the origin's data by the target's process, and the answer that it owes.
struct Fetch {
    NodeProcess source;
    uint64_t reply;
};

void fetch_is_done(void *argument, bool ok) MAY_SUSPEND {
    auto *fetch = static_cast<Fetch *>(argument);
    if (ok) // otherwise the origin is lost
        answer(fetch->source, What::Done, fetch->reply);
    delete fetch;
}

void serve_put_large(const OneSidedHeader &header, NodeProcess source) {
    fabric_read(source, header.memory, 0, reinterpret_cast<void *>(header.address),
                header.size_bytes, fetch_is_done, new Fetch{source, header.reply});
}

void serve_get(const OneSidedHeader &header, const Arrival &arrival) MAY_SUSPEND {
    const Place place(header, arrival);
    Answer data(place.size_bytes());
    place.load(data.data());
    answer(arrival.source, What::Data, header.reply, 0, data.data(), place.size_bytes());
}

void serve_combine(const OneSidedHeader &header, const Arrival &arrival) MAY_SUSPEND {
    const Place place(header, arrival);
    const Datatype &element = predefined_datatypes.types[header.element];
    const void *in = header.combines ? data_of(header, arrival) : nullptr;
    const auto op = static_cast<OpKind>(header.op);
    const Stripes stripes = stripes_at(header);
    if (!header.fetches)
        return place.combine(op, element, in, nullptr, stripes);
    Answer data(place.size_bytes());
    place.combine(op, element, in, data.data(), stripes);
    answer(arrival.source, What::Data, header.reply, 0, data.data(), place.size_bytes());
}

void serve_compare_and_swap(const OneSidedHeader &header, const Arrival &arrival) MAY_SUSPEND {
    auto *address = reinterpret_cast<char *>(header.address);
    const char *compare = data_of(header, arrival);
    Answer was(header.size_bytes);
    swap_if_equal(address, compare, compare + header.size_bytes, was.data(), header.size_bytes,
                  stripes_at(header));
    answer(arrival.source, What::Data, header.reply, 0, was.data(), header.size_bytes);
}

// The request of a rank of another process for a lock.
struct LockRequest {
    WindowLock *lock;
    WindowLock::Mode mode;
    const Window *target; // nullptr: it is the lock of the whole window
    NodeProcess source;
    uint64_t reply;
    SharedLock mapped; // set if that process has mapped the lock: it counts and releases it there
};

// A request from another process that waits in the queue of a lock.
struct RemoteWaiter : WindowLock::Waiter {
    LockRequest request;
};

// The locks of this process that ranks of other processes hold, and have not mapped.
struct HeldByOthers {
    SpinLock guard; // guards the list
    std::vector<LockRequest> locks;
};

HeldByOthers &held_by_others() {
    static auto *held = new HeldByOthers; // never destroyed: messages come until the process ends
    return *held;
}

void note_held(const LockRequest &request) {
    if (request.mapped)
        return request.mapped.count_holder(request.mode);
    LockGuard guard(held_by_others().guard);
    held_by_others().locks.push_back(request);
}

// Takes the lock off the list. Returns false if it is not there: the process was lost, and the lock
// has been released already.
bool note_released(const WindowLock &lock, WindowLock::Mode mode, NodeProcess source) {
    LockGuard guard(held_by_others().guard);
    std::vector<LockRequest> &locks = held_by_others().locks;
    auto found = std::ranges::find_if(locks, [&](const LockRequest &held) {
        return held.lock == &lock && held.mode == mode && held.source == source;
    });
    if (found == locks.end())
        return false;
    *found = locks.back();
    locks.pop_back();
    return true;
}

// Does the same for what note_held() has noted.
bool forget_held(const LockRequest &held) {
    return held.mapped ? held.mapped.forget_holder(held.mode)
                       : note_released(*held.lock, held.mode, held.source);
}

// Runs when a lock is granted to a rank elsewhere. If the answer cannot be sent, because that
// process is lost, the lock is released at once, unless release_locks_of() was faster.
void lock_is_held(WindowLock::Waiter &waiter) MAY_SUSPEND {
    auto *asked = static_cast<RemoteWaiter *>(&waiter);
    const LockRequest held = asked->request;
    delete asked;
    // Section 12.5.3: "It is erroneous to have a window locked and exposed (in an exposure epoch)
    // concurrently."
    const bool exposed = held.target && held.target->exposed.load(std::memory_order_relaxed);
    if (exposed)
        held.lock->release(held.mode);
    else
        note_held(held);
    if (!answer(held.source, What::Value, held.reply, !exposed) && !exposed && forget_held(held))
        held.lock->release(held.mode);
}

WindowLock &lock_of(const OneSidedHeader &header) {
    return header.whole_lock ? reinterpret_cast<SharedWindow *>(header.window)->all_or_exclusive
                             : window_of(header).lock;
}

char *lock_record_of(const OneSidedHeader &header) {
    if (header.whole_lock)
        return reinterpret_cast<SharedWindow *>(header.window)->whole_lock_record;
    const Window &win = window_of(header);
    return win.parts[win.rank].lock_record;
}

// Asks for the lock; it is granted at once or later, by the rank that releases it.
void serve_lock(const OneSidedHeader &header, NodeProcess source) MAY_SUSPEND {
    auto *waiter = new RemoteWaiter;
    waiter->mode = static_cast<WindowLock::Mode>(header.op);
    waiter->grant = lock_is_held;
    WindowLock &lock = lock_of(header);
    waiter->request = {&lock,  waiter->mode, header.whole_lock ? nullptr : &window_of(header),
                       source, header.reply, {}};
    if (header.has_mapped)
        waiter->request.mapped = SharedLock(lock_record_of(header), header.rank);
    if (lock.acquire_or_queue(*waiter, header.overtakes))
        lock_is_held(*waiter);
}

void serve_unlock(const OneSidedHeader &header, NodeProcess source) MAY_SUSPEND {
    WindowLock &lock = lock_of(header);
    const auto mode = static_cast<WindowLock::Mode>(header.op);
    if (note_released(lock, mode, source))
        lock.release(mode);
    answer(source, What::Done, header.reply);
}

// Dispatches a message. An operation may come in several messages; each describes its own part, so
// no state is kept between them.
void message_arrived(void *, const Arrival &arrival) MAY_SUSPEND {
    OneSidedHeader header;
    CHECK(arrival.header_bytes == sizeof header);
    std::memcpy(&header, arrival.header, sizeof header);
    switch (header.what) {
    case What::Put:
        return Place(header, arrival).store(data_of(header, arrival));
    case What::PutLarge:
        return serve_put_large(header, arrival.source);
    case What::Get:
        return serve_get(header, arrival);
    case What::Combine:
        return serve_combine(header, arrival);
    case What::CompareAndSwap:
        return serve_compare_and_swap(header, arrival);
    case What::Flush:
        answer(arrival.source, What::Done, header.reply);
        return;
    case What::Attached:
        answer(arrival.source, What::Value, header.reply,
               window_of(header).attached.covers(header.address, header.count));
        return;
    case What::Lock:
        return serve_lock(header, arrival.source);
    case What::Unlock:
        return serve_unlock(header, arrival.source);
    case What::GrantNext:
        lock_of(header).grant_next();
        answer(arrival.source, What::Done, header.reply);
        return;
    case What::Post:
        return note_post(window_of(header), header.rank);
    case What::Complete:
        return note_complete(window_of(header), header.rank);
    case What::Done:
    case What::Data:
    case What::Value:
        return take_answer(header, arrival);
    }
}

// A lock in mapped memory that ranks of a lost process have held, so many of them.
struct LostHolders {
    WindowLock *lock;
    LockMode mode;
    uint32_t count;
};

// Takes what ranks of a lost process, number `process` of the window, hold in mapped memory.
void take_lost_holders(SharedWindow &shared, int process, std::vector<LostHolders> &lost) {
    const auto take = [&](WindowLock &lock, char *record) {
        if (!record)
            return;
        for (LockMode mode : {LockMode::Shared, LockMode::Exclusive})
            if (uint32_t count = SharedLock(record, process).forget_holders(mode))
                lost.push_back({&lock, mode, count});
    };
    for (int rank = 0; rank < shared.size; ++rank)
        if (const WindowPart &part = shared.parts[rank]; part.window)
            take(part.window->lock, part.lock_record);
    if (shared.parts[0].window)
        take(shared.all_or_exclusive, shared.whole_lock_record);
}

void release_mapped_locks_of(NodeProcess process) MAY_SUSPEND {
    std::vector<LostHolders> lost;
    auto visit = [&](SharedWindow &shared) {
        const std::vector<NodeProcess> &processes = shared.context->span->processes;
        const auto found = std::ranges::find(processes, process);
        if (found != processes.end())
            take_lost_holders(shared, static_cast<int>(found - processes.begin()), lost);
    };
    for_each_window(
        [](SharedWindow &shared, void *argument) {
            if (shared.remote)
                (*static_cast<decltype(visit) *>(argument))(shared);
        },
        &visit);
    for (const LostHolders &one : lost)
        one.lock->release_for(one.mode, one.count);
}

// Releases the locks that ranks of a lost process hold. Requests that still wait are granted and
// released in lock_is_held().
void release_locks_of(NodeProcess process) MAY_SUSPEND {
    release_mapped_locks_of(process);
    std::vector<LockRequest> held;
    {
        LockGuard guard(held_by_others().guard);
        std::vector<LockRequest> &locks = held_by_others().locks;
        std::ranges::copy_if(locks, std::back_inserter(held),
                             [&](const LockRequest &one) { return one.source == process; });
        std::erase_if(locks, [&](const LockRequest &one) { return one.source == process; });
    }
    for (const LockRequest &one : held)
        one.lock->release(one.mode);
}

// Ends the waits of all ranks of this process for `process`, in all windows.
void process_is_lost(NodeProcess process) MAY_SUSPEND {
    for_each_window(
        [](SharedWindow &shared, void *argument) {
            for (int rank = 0; rank < shared.size; ++rank)
                if (Window *win = shared.parts[rank].window; win && win->traffic) {
                    fail_answers(*win, *static_cast<const NodeProcess *>(argument));
                    end_epochs_with_lost(*win);
                }
        },
        &process);
    release_locks_of(process);
}

} // namespace

void begin_one_sided_messages() {
    set_arrive_function(MessageKind::OneSided, message_arrived);
    when_process_is_lost(process_is_lost);
}

} // namespace thrum
