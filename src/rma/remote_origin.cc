// The origin's side of rma/remote_access.h. An operation is cut into pieces, and each piece is a
// message. A piece that needs an answer is an Expected, whose address travels in the message and
// returns in the answer. Messages without an answer are confirmed by a later Flush message.
//
// An Expected is ended exactly once: by the answer, or when its process is lost. Whoever takes it
// out of the list of awaited answers ends it.
#include "base/check.h"
#include "base/settings.h"
#include "comm/process.h"
#include "comm/span.h"
#include "datatype/layout_bytes.h"
#include "datatype/predefined.h"
#include "datatype/status.h"
#include "pt2pt/blocked.h"
#include "pt2pt/lost.h"
#include "rma/blockage.h"
#include "rma/one_sided_message.h"
#include "rma/remote_access.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

namespace thrum {
namespace {

constexpr size_t piece_bytes_max =
    256 << 10;                   // what one message carries; bounds the buffers of both sides
constexpr int answers_max = 256; // per window and origin: limits what others store for it

using What = OneSidedHeader::What;
using Member = RemoteMembers::Member;

void *allocate(size_t size_bytes) {
    void *memory = std::malloc(size_bytes ? size_bytes : 1);
    CHECK(memory, "out of memory for %zu bytes of a one-sided operation", size_bytes);
    return memory;
}

// An expected answer, and what to do when it arrives. The maker must fill it before it is in the
// list.
struct Expected : AwaitedAnswer {
    Expected(NodeProcess from, Window &window, OneSidedRequest *of = nullptr)
        : AwaitedAnswer{from}, win(&window), request(of) {}

    Window *win;
    OneSidedRequest *request; // or nullptr
    // Where its data belong: [first_byte, first_byte + size_bytes) of the packed form of a buffer.
    void *buffer = nullptr;
    Count count = 0;
    Datatype *type = nullptr; // a reference; nullptr: no data
    size_t first_byte = 0;
    size_t size_bytes = 0;
    void *piece = nullptr; // the data read, before they are copied to their place
    bool exposed = false;
    RemoteMemory memory{}; // the origin's buffer while it is exposed
    // For a call that waits for a value, and is not counted with the others.
    Completion *answered = nullptr;
    uint64_t value = 0;
    bool lost = false;    // there will be no answer
    bool of_lock = false; // it belongs to a lock, not to an operation
};

// Makes an Expected, as a part of `request` if there is one.
Expected *new_expected(NodeProcess process, Window &win, OneSidedRequest *request) {
    if (request)
        request->add_part();
    return new Expected(process, win, request);
}

// Counts an expected answer, which may arrive as soon as it is in the list: `expected` must be
// ready. Waits if too many answers are pending. `of_message`: false for a direct read of memory,
// which has no message and is not in the list.
void expect(Expected *expected, bool of_message) MAY_SUSPEND {
    Window &win = *expected->win;
    RemoteTraffic &traffic = *win.traffic;
    for (;;) {
        {
            LockGuard guard(traffic.guard);
            if (traffic.answers < answers_max) {
                traffic.settled.store(false, std::memory_order_relaxed);
                ++traffic.answers;
                if (of_message)
                    traffic.awaited.push_back(*expected);
                return;
            }
        }
        wait_for_answers(win);
    }
}

// Sets where the data of the answer belong, and holds the datatype: the program may free it
// meanwhile.
void set_destination(Expected &expected, const OriginBuffer &buffer, size_t first_byte,
                     size_t size_bytes) {
    expected.buffer = buffer.address;
    expected.count = buffer.count;
    expected.type = const_cast<Datatype *>(&buffer.type);
    retain(*expected.type);
    expected.first_byte = first_byte;
    expected.size_bytes = size_bytes;
}

// Counts an answer that has arrived, and wakes the waiters with the last one.
void note_answer(RemoteTraffic &traffic) {
    RemoteTraffic::Waiter *waiters = nullptr;
    {
        LockGuard guard(traffic.guard);
        if (--traffic.answers == 0)
            std::swap(waiters, traffic.waiters);
    }
    while (RemoteTraffic::Waiter *waiter = waiters) {
        waiters = waiter->next; // once woken, the waiter and the window may be freed
        waiter->done.complete();
    }
}

// Ends an operation: releases its references. The request ends before the count of answers, because
// a rank that finds the count at zero may free the window.
void end(Expected *expected) {
    if (expected->exposed)
        fabric_withdraw(expected->memory);
    if (expected->type)
        release(*expected->type);
    std::free(expected->piece);
    OneSidedRequest *request = expected->request;
    RemoteTraffic &traffic = *expected->win->traffic;
    delete expected;
    if (request)
        request->end_part();
    note_answer(traffic);
}

// Takes an answer out of the list.
void take_out(Expected &expected) {
    LockGuard guard(expected.win->traffic->guard);
    expected.hook.unlink();
}

// Records that not everything was done at `process`. The caller holds the guard.
void note_failure(RemoteTraffic &traffic, NodeProcess process) {
    traffic.settled.store(false, std::memory_order_relaxed);
    traffic.failures += !std::exchange(traffic.failed[process.index()], true);
}

// Ends an operation whose process is lost. It must be out of the list of awaited answers.
void end_without_answer(Expected *expected) {
    if (expected->answered) {
        expected->lost = true;
        return expected->answered->complete();
    }
    if (!expected->of_lock) {
        LockGuard guard(expected->win->traffic->guard);
        note_failure(*expected->win->traffic, expected->process);
    }
    if (expected->request)
        expected->request->fail_part(expected->process);
    end(expected);
}

// Handles a message that could not be sent because the process is lost. fail_answers() may have
// ended it already: `unsent` is compared, and used only if it is still in the list.
void fail_unsent(Expected *unsent, RemoteTraffic &traffic) {
    {
        LockGuard guard(traffic.guard);
        AwaitedAnswer *awaited = traffic.awaited.front();
        while (awaited && awaited != unsent)
            awaited = traffic.awaited.next(*awaited);
        if (!awaited)
            return;
        awaited->hook.unlink();
    }
    end_without_answer(unsent);
}

// Sends a message whose expected answer has been counted.
void send_counted(NodeProcess process, RemoteTraffic &traffic, Expected *expected,
                  OneSidedHeader &header, const void *first = nullptr, size_t first_bytes = 0,
                  const void *second = nullptr, size_t second_bytes = 0) MAY_SUSPEND {
    header.reply = reinterpret_cast<uint64_t>(expected);
    if (!send_one_sided(process, header, first, first_bytes, second, second_bytes))
        fail_unsent(expected, traffic);
}

// Counts the answer and sends the message. `expected` must not be used after the call.
void send_expecting(Expected *expected, OneSidedHeader &header, const void *first = nullptr,
                    size_t first_bytes = 0, const void *second = nullptr,
                    size_t second_bytes = 0) MAY_SUSPEND {
    const NodeProcess process = expected->process;
    RemoteTraffic &traffic = *expected->win->traffic;
    expect(expected, true);
    send_counted(process, traffic, expected, header, first, first_bytes, second, second_bytes);
}

// Returns the error of a lost process, or success.
Error check_lives(NodeProcess process) {
    return is_lost_process(process) ? lost_process_error(process) : success;
}

const Member &member_of(const Window &win, int rank) {
    return win.shared->remote->members[static_cast<size_t>(rank)];
}

// Returns a header for a message to member `rank`, with that member's window object.
OneSidedHeader header_for(What what, const Window &win, int rank) {
    OneSidedHeader header{.what = what};
    header.rank = win.rank;
    header.window = member_of(win, rank).window;
    return header;
}

// Records that an unanswered message has been sent to `process`.
void note_unconfirmed(Window &win, NodeProcess process) {
    LockGuard guard(win.traffic->guard);
    win.traffic->settled.store(false, std::memory_order_relaxed);
    win.traffic->unconfirmed[process.index()] = true;
}

// Replaces unanswered messages by the expected answer that confirms them. One step under the guard:
// another thread of the origin that flushes must either send its own or find this one expected.
// Returns nullptr if there were no such messages.
Expected *begin_to_confirm(Window &win, NodeProcess process) {
    RemoteTraffic &traffic = *win.traffic;
    LockGuard guard(traffic.guard);
    if (!std::exchange(traffic.unconfirmed[process.index()], false))
        return nullptr;
    auto *expected = new Expected(process, win);
    ++traffic.answers;
    traffic.awaited.push_back(*expected);
    return expected;
}

// Asks for the answer that confirms the messages to `process`, if there are any.
void confirm(Window &win, NodeProcess process) MAY_SUSPEND {
    OneSidedHeader header{.what = What::Flush};
    if (Expected *expected = begin_to_confirm(win, process))
        send_counted(process, *win.traffic, expected, header);
}

// The target buffer as it is described to the target's process.
class Place {
public:
    Place(const TargetBuffer &target, const char *address, const Window &win) {
        // Translates an address here, or a displacement, to an address there.
        const char *base = win.parts[target.rank].base;
        address_ = member_of(win, target.rank).base +
                   (reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(base));
        count_ = static_cast<uint64_t>(target.count);
        if (!target.type.contiguous)
            write_layout(target.type, description_);
    }

    bool is_dense() const { return description_.empty(); }

    // Returns the size of a piece in bytes: not much smaller than what precedes the data in each
    // message.
    size_t piece_bytes() const { return std::max(piece_bytes_max, description_.size()); }

    const std::string &description() const { return description_; }

    // Describes the piece [first_byte, first_byte + size_bytes) of the packed form.
    void write(OneSidedHeader &header, size_t first_byte, size_t size_bytes) const {
        header.size_bytes = size_bytes;
        header.type_bytes = static_cast<uint32_t>(description_.size());
        header.address = is_dense() ? address_ + first_byte : address_;
        header.count = count_;
        header.first_byte = is_dense() ? 0 : first_byte;
    }

private:
    uint64_t address_;
    uint64_t count_;
    std::string description_;
};

// A piece of the origin's buffer in its packed form: in place, or a copy.
class PackedPiece {
public:
    PackedPiece(const OriginBuffer &origin, size_t first_byte, size_t size_bytes) {
        if (origin.type.contiguous) {
            data_ = static_cast<const char *>(origin.address) + first_byte;
            return;
        }
        copy_ = allocate(size_bytes);
        pack_bytes(origin.address, origin.count, origin.type, first_byte, size_bytes, copy_);
        data_ = copy_;
    }

    ~PackedPiece() { std::free(copy_); }

    PackedPiece(const PackedPiece &) = delete;
    PackedPiece &operator=(const PackedPiece &) = delete;

    const void *data() const { return data_; }

private:
    const void *data_;
    void *copy_ = nullptr;
};

// Sends the address of large dense data, which the target's process reads. The answer ends the
// exposure.
void put_large(const OriginBuffer &origin, size_t size_bytes, const Place &place,
               OneSidedHeader header, NodeProcess process, Window &win,
               OneSidedRequest *request) MAY_SUSPEND {
    Expected *expected = new_expected(process, win, request);
    expected->exposed = true;
    expected->memory = fabric_expose(origin.address, size_bytes);
    header.what = What::PutLarge;
    header.memory = expected->memory;
    place.write(header, 0, size_bytes);
    send_expecting(expected, header);
}

// Runs when a read has ended. `ok`: false if the process is lost.
void read_is_done(void *argument, bool ok) {
    auto *expected = static_cast<Expected *>(argument);
    if (!ok)
        return end_without_answer(expected);
    if (expected->piece)
        unpack_bytes(expected->piece, expected->first_byte, expected->size_bytes, expected->buffer,
                     expected->count, *expected->type);
    end(expected);
}

// Reads dense memory of the target, without involving its process.
void read_remotely(const OriginBuffer &origin, const RemoteMemory &memory, size_t offset,
                   size_t size_bytes, NodeProcess process, Window &win,
                   OneSidedRequest *request) MAY_SUSPEND {
    const bool dense = origin.type.contiguous;
    const size_t piece = dense ? size_bytes : piece_bytes_max;
    for (size_t done = 0; done < size_bytes; done += piece) {
        const size_t here = std::min(piece, size_bytes - done);
        Expected *expected = new_expected(process, win, request);
        set_destination(*expected, origin, done, here);
        if (!dense)
            expected->piece = allocate(here);
        void *into = dense ? static_cast<char *>(origin.address) + done
                           : static_cast<char *>(expected->piece);
        expect(expected, false);
        fabric_read(process, memory, offset + done, into, here, read_is_done, expected);
    }
}

// Returns the number by which the target's process knows a predefined datatype: its index in the
// table, which is the same in all processes. Datatypes without a name are equivalent to one with a
// name.
uint16_t number_of(const Datatype &element) {
    const Datatype *all = predefined_datatypes.types;
    if (&element >= all && &element < all + predefined_datatype_count)
        return static_cast<uint16_t>(&element - all);
    for (size_t i = 0; i < predefined_datatype_count; ++i)
        if (all[i].predefined && all[i].kind == element.kind && all[i].group == element.group &&
            all[i].size_bytes == element.size_bytes)
            return static_cast<uint16_t>(i);
    CHECK(false, "a predefined datatype of kind %d has no number in other processes",
          static_cast<int>(element.kind));
}

// Sends a message and waits for the value in its answer. The answer is not among those that a flush
// waits for, because it may depend on another rank's unlock.
Error ask(Window &win, NodeProcess process, OneSidedHeader &header, const Blockage &blockage,
          uint64_t &value) MAY_SUSPEND {
    Completion answered;
    Expected expected(process, win);
    expected.answered = &answered;
    {
        LockGuard guard(win.traffic->guard);
        win.traffic->awaited.push_back(expected);
    }
    send_counted(process, *win.traffic, &expected, header);
    wait_blocked(answered, blockage);
    value = expected.value;
    return expected.lost ? lost_process_error(process) : success;
}

// Returns the lost process where operations of this origin at `rank` (negative: anywhere) have
// failed, once per failure; no_process if there is none.
NodeProcess take_failure(Window &win, int rank) {
    RemoteTraffic &traffic = *win.traffic;
    LockGuard guard(traffic.guard);
    if (traffic.failures == 0) [[likely]]
        return no_process;
    for (size_t process = 0; process < traffic.failed.size(); ++process)
        if (traffic.failed[process] &&
            (rank < 0 || member_of(win, rank).process == NodeProcess(static_cast<int>(process)))) {
            traffic.failed[process] = false;
            --traffic.failures;
            return NodeProcess(static_cast<int>(process));
        }
    return no_process;
}

// Notes that nothing is left to do, if that is so.
void settle(RemoteTraffic &traffic) {
    LockGuard guard(traffic.guard);
    if (traffic.answers == 0 && traffic.failures == 0 &&
        std::ranges::find(traffic.unconfirmed, true) == traffic.unconfirmed.end())
        traffic.settled.store(true, std::memory_order_release); // release [settled-1]
}

NodeProcess home_process(const Window &win) {
    return member_of(win, 0).process;
}

// Returns the header for the lock of member `target`; negative: for the lock of the whole window.
OneSidedHeader lock_header(What what, const Window &win, int target, WindowLock::Mode mode) {
    OneSidedHeader header = header_for(what, win, std::max(target, 0));
    header.op = static_cast<uint8_t>(mode);
    header.whole_lock = target < 0;
    if (header.whole_lock)
        header.window = win.shared->remote->home_window;
    return header;
}

} // namespace

RemoteTraffic *new_traffic(const ProcessMap &span) {
    auto *traffic = new RemoteTraffic;
    traffic->unconfirmed.resize(std::ranges::max(span.processes).index() + 1);
    traffic->failed.resize(traffic->unconfirmed.size());
    return traffic;
}

void forget_traffic(RemoteTraffic *traffic) {
    delete traffic;
}

Error OneSidedRequest::result(MPI_Status *status) {
    set_empty_status(status);
    if (fetched.accesses) [[unlikely]]
        fetched.accesses->complete_request(fetched.origin, fetched.target, this);
    const NodeProcess lost = lost_process_.load(std::memory_order_relaxed);
    return lost == no_process ? success : lost_process_error(lost);
}

bool send_one_sided(NodeProcess process, const OneSidedHeader &header, const void *first,
                    size_t first_bytes, const void *second, size_t second_bytes) {
    const iovec parts[] = {{const_cast<void *>(first), first_bytes},
                           {const_cast<void *>(second), second_bytes}};
    const int begin = first_bytes > 0 ? 0 : 1, end = second_bytes > 0 ? 2 : 1;
    return fabric_send(process, Channel::PointToPoint, MessageKind::OneSided, &header,
                       sizeof header, parts + begin, std::max(end - begin, 0));
}

// The Expected is removed from the list first, so that no other thread ends it. With `answered` it
// is on the stack of ask(), and invalid once that is completed.
void take_answer(const OneSidedHeader &header, const Arrival &arrival) {
    auto *expected = reinterpret_cast<Expected *>(header.reply);
    take_out(*expected);
    if (expected->answered) {
        expected->value = header.address;
        return expected->answered->complete();
    }
    if (header.what == What::Data)
        unpack_bytes(arrival.payload, expected->first_byte, expected->size_bytes, expected->buffer,
                     expected->count, *expected->type);
    end(expected);
}

// Small data travel in messages. Large dense data stay here and the target's process reads them.
// That needs an answer, because the buffer must stay unchanged until then.
Error put_remotely(const OriginBuffer &origin, const TargetBuffer &target, const char *address,
                   Window &win, OneSidedRequest *request) {
    const size_t size_bytes = data_bytes(origin.count, origin.type);
    if (size_bytes == 0)
        return success;
    const NodeProcess process = member_of(win, target.rank).process;
    if (Error error = check_lives(process))
        return error;
    const Place place(target, address, win);
    OneSidedHeader header = header_for(What::Put, win, target.rank);
    if (place.is_dense() && origin.type.contiguous && size_bytes > settings().eager_bytes_max) {
        put_large(origin, size_bytes, place, header, process, win, request);
        return success;
    }
    for (size_t done = 0; done < size_bytes; done += place.piece_bytes()) {
        const size_t here = std::min(place.piece_bytes(), size_bytes - done);
        const PackedPiece piece(origin, done, here);
        place.write(header, done, here);
        send_one_sided(process, header, place.description().data(), place.description().size(),
                       piece.data(), here);
    }
    note_unconfirmed(win, process);
    return success;
}

// Dense memory of a window is read without its process. Other data, and memory of dynamic windows,
// are sent by the target's process.
Error get_remotely(const OriginBuffer &origin, const TargetBuffer &target, const char *address,
                   Window &win, OneSidedRequest *request) {
    const size_t size_bytes = data_bytes(target.count, target.type);
    if (size_bytes == 0)
        return success;
    const Member &member = member_of(win, target.rank);
    if (Error error = check_lives(member.process))
        return error;
    const Place place(target, address, win);
    if (place.is_dense() && !win.dynamic) {
        read_remotely(origin, member.memory,
                      static_cast<size_t>(address - win.parts[target.rank].base), size_bytes,
                      member.process, win, request);
        return success;
    }
    OneSidedHeader header = header_for(What::Get, win, target.rank);
    for (size_t done = 0; done < size_bytes; done += place.piece_bytes()) {
        const size_t here = std::min(place.piece_bytes(), size_bytes - done);
        Expected *expected = new_expected(member.process, win, request);
        set_destination(*expected, origin, done, here);
        place.write(header, done, here);
        send_expecting(expected, header, place.description().data(), place.description().size());
    }
    return success;
}

// Pieces consist of whole elements, so that each element stays atomic.
Error combine_remotely(const RemoteCombination &c, const TargetBuffer &target, const char *address,
                       Window &win, OneSidedRequest *request) {
    const NodeProcess process = member_of(win, target.rank).process;
    if (Error error = check_lives(process))
        return error;
    const auto element_bytes = static_cast<size_t>(c.element.size_bytes);
    const size_t combined = static_cast<size_t>(c.combined) * element_bytes;
    const size_t fetched = static_cast<size_t>(c.fetched) * element_bytes;
    const Place place(target, address, win);
    const size_t piece_bytes = place.piece_bytes() / element_bytes * element_bytes;
    OneSidedHeader header = header_for(What::Combine, win, target.rank);
    header.op = static_cast<uint8_t>(c.op);
    header.element = number_of(c.element);
    header.fetches = c.result != nullptr;
    for (size_t done = 0; done < std::max(combined, fetched);) {
        // Where the origin ends before the target, only the result continues.
        header.combines = done < combined;
        const size_t here = std::min(piece_bytes, (header.combines ? combined : fetched) - done);
        place.write(header, done, here);
        std::optional<PackedPiece> piece;
        if (header.combines)
            piece.emplace(*c.origin, done, here);
        const void *data = piece ? piece->data() : nullptr;
        const size_t data_bytes = piece ? here : 0;
        const std::string &type = place.description();
        if (c.result) {
            Expected *expected = new_expected(process, win, request);
            set_destination(*expected, *c.result, done, here);
            send_expecting(expected, header, type.data(), type.size(), data, data_bytes);
        } else {
            send_one_sided(process, header, type.data(), type.size(), data, data_bytes);
        }
        done += here;
    }
    if (!c.result)
        note_unconfirmed(win, process);
    return success;
}

Error compare_and_swap_remotely(const void *origin, const void *compare, void *result,
                                const TargetBuffer &target, const char *address, Window &win) {
    const NodeProcess process = member_of(win, target.rank).process;
    if (Error error = check_lives(process))
        return error;
    const auto size_bytes = static_cast<size_t>(target.type.size_bytes);
    const Place place(target, address, win);
    OneSidedHeader header = header_for(What::CompareAndSwap, win, target.rank);
    place.write(header, 0, size_bytes);
    Expected *expected = new_expected(process, win, nullptr);
    set_destination(*expected, {result, 1, target.type}, 0, size_bytes);
    send_expecting(expected, header, compare, size_bytes, origin, size_bytes);
    return success;
}

bool is_attached_remotely(Window &win, int rank, uintptr_t begin, uintptr_t end) {
    OneSidedHeader header = header_for(What::Attached, win, rank);
    header.address = begin;
    header.count = end;
    uint64_t attached = 0;
    return !ask(win, member_of(win, rank).process, header, AnswerBlockage(win), attached) &&
           attached;
}

// All messages are sent before the first answer is waited for: one round trip for all processes.
Error detail::flush_remote(Window &win, int rank) {
    if (rank >= 0) {
        confirm(win, member_of(win, rank).process);
    } else {
        const auto processes = static_cast<int>(win.traffic->unconfirmed.size());
        for (NodeProcess process : NodeProcesses(processes))
            confirm(win, process);
    }
    detail::wait_for_answers(win);
    const NodeProcess lost = take_failure(win, rank);
    settle(*win.traffic);
    return lost == no_process ? success : lost_process_error(lost);
}

void detail::wait_for_answers(Window &win) {
    RemoteTraffic &traffic = *win.traffic;
    RemoteTraffic::Waiter waiter;
    {
        LockGuard guard(traffic.guard);
        if (traffic.answers == 0)
            return;
        waiter.next = traffic.waiters;
        traffic.waiters = &waiter;
    }
    wait_blocked(waiter.done, AnswerBlockage(win));
}

Error acquire_remotely(Window &win, int target, WindowLock::Mode mode, bool overtake,
                       bool &exposed) {
    OneSidedHeader header = lock_header(What::Lock, win, target, mode);
    header.overtakes = overtake;
    header.has_mapped = static_cast<bool>(mapped_lock(win, target));
    header.rank = win.shared->process;
    const NodeProcess process = target < 0 ? home_process(win) : member_of(win, target).process;
    uint64_t held = 0;
    const Error error = ask(win, process, header, LockBlockage(win, target, mode), held);
    exposed = !error && !held;
    return error;
}

bool try_acquire_mapped(const Window &win, int target, WindowLock::Mode mode) {
    const SharedLock lock = mapped_lock(win, target);
    return lock && lost_processes.load(std::memory_order_relaxed) == 0 &&
           lock.try_acquire(mode, target < 0);
}

// A mapped lock is released here, and the other process is told if requests wait there.
void release_remotely(Window &win, int target, WindowLock::Mode mode) {
    const SharedLock mapped = mapped_lock(win, target);
    if (mapped && !mapped.release(mode)) [[likely]]
        return;
    OneSidedHeader header = lock_header(mapped ? What::GrantNext : What::Unlock, win, target, mode);
    const NodeProcess process = target < 0 ? home_process(win) : member_of(win, target).process;
    Expected *expected = new_expected(process, win, nullptr);
    expected->of_lock = true;
    send_expecting(expected, header);
    wait_for_answers(win);
}

bool tell_post_remotely(Window &win, int origin) {
    return send_one_sided(member_of(win, origin).process, header_for(What::Post, win, origin));
}

bool tell_complete_remotely(Window &win, int target) {
    return send_one_sided(member_of(win, target).process, header_for(What::Complete, win, target));
}

NodeProcess lost_process_of_member(const Window &win, int rank) {
    if (!win.traffic || win.parts[rank].is_here())
        return no_process;
    const NodeProcess process = member_of(win, rank).process;
    return is_lost_process(process) ? process : no_process;
}

// Takes the lost process's answers out of the list under the guard, and ends them without it:
// ending wakes tasks.
void fail_answers(Window &win, NodeProcess process) {
    RemoteTraffic &traffic = *win.traffic;
    std::vector<Expected *> lost;
    {
        LockGuard guard(traffic.guard);
        if (std::exchange(traffic.unconfirmed[process.index()], false))
            note_failure(traffic, process);
        for (AwaitedAnswer *awaited = traffic.awaited.front(); awaited;) {
            AwaitedAnswer *next = traffic.awaited.next(*awaited);
            auto *expected = static_cast<Expected *>(awaited);
            if (expected->process == process) {
                expected->hook.unlink();
                lost.push_back(expected);
            }
            awaited = next;
        }
    }
    for (Expected *expected : lost)
        end_without_answer(expected);
}

} // namespace thrum
