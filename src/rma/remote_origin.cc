// The origin's side of rma/remote.h: operations are cut into pieces, of which each is a message;
// what has an answer to come is an Expected.
#include "base/check.h"
#include "base/settings.h"
#include "comm/process.h"
#include "comm/span.h"
#include "datatype/layout_bytes.h"
#include "datatype/predefined.h"
#include "pt2pt/wait.h"
#include "rma/blockage.h"
#include "rma/one_sided_message.h"
#include "rma/remote.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace thrum {
namespace {

constexpr size_t piece_bytes_max = 256 << 10;
constexpr int answers_max = 256; // of one window and origin: what others keep for it is bounded

using What = OneSidedHeader::What;
using Member = RemoteMembers::Member;

void *allocate(size_t size_bytes) {
    void *memory = std::malloc(size_bytes ? size_bytes : 1);
    CHECK(memory, "out of memory for %zu bytes of a one-sided operation", size_bytes);
    return memory;
}

// An answer that is to come, and what is done then.
struct Expected {
    Window *win;
    OneSidedRequest *request; // or nullptr
    // Where its data go: [first_byte, first_byte + size_bytes) of the packed form of a buffer.
    void *buffer = nullptr;
    Count count = 0;
    Datatype *type = nullptr; // a reference; nullptr: there are none
    size_t first_byte = 0;
    size_t size_bytes = 0;
    void *piece = nullptr; // what was read, before it goes there
    bool exposed = false;
    RemoteMemory memory; // the origin's buffer, while it is exposed
    int process = 0;     // that is read
    // Of a call that waits for a value, and counts for itself alone.
    Completion *answered = nullptr;
    uint64_t value = 0;
};

Expected *expect_answer(Window &win, OneSidedRequest *request) {
    RemoteTraffic &traffic = *win.traffic;
    for (;;) {
        {
            LockGuard guard(traffic.guard);
            if (traffic.answers < answers_max) {
                ++traffic.answers;
                break;
            }
        }
        wait_for_answers(win);
    }
    if (request)
        request->add_part();
    return new Expected{.win = &win, .request = request, .memory = {}};
}

void set_destination(Expected &expected, const OriginBuffer &buffer, size_t first_byte,
                     size_t size_bytes) {
    expected.buffer = buffer.address;
    expected.count = buffer.count;
    expected.type = const_cast<Datatype *>(&buffer.type);
    retain(*expected.type);
    expected.first_byte = first_byte;
    expected.size_bytes = size_bytes;
}

void note_answer(RemoteTraffic &traffic) {
    RemoteTraffic::Waiter *waiters = nullptr;
    {
        LockGuard guard(traffic.guard);
        if (--traffic.answers == 0)
            std::swap(waiters, traffic.waiters);
    }
    while (RemoteTraffic::Waiter *waiter = waiters) {
        waiters = waiter->next; // it is gone once it is told, and perhaps the window, too
        waiter->done.complete();
    }
}

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

const Member &member_of(const Window &win, int rank) {
    return win.shared->remote->members[static_cast<size_t>(rank)];
}

OneSidedHeader header_for(What what, const Window &win, int rank) {
    OneSidedHeader header{.what = what};
    header.rank = win.rank;
    header.window = member_of(win, rank).window;
    return header;
}

// A message that no answer confirms has gone to `process`.
void note_unconfirmed(Window &win, int process) {
    LockGuard guard(win.traffic->guard);
    win.traffic->unconfirmed[static_cast<size_t>(process)] = true;
}

// If there were such, counts the answer that is to confirm them: in one step, for other threads of
// the origin.
bool begin_to_confirm(Window &win, int process) {
    RemoteTraffic &traffic = *win.traffic;
    LockGuard guard(traffic.guard);
    const bool begins = std::exchange(traffic.unconfirmed[static_cast<size_t>(process)], false);
    traffic.answers += begins;
    return begins;
}

// Asks for the answer that confirms them, if there are any.
void confirm(Window &win, int process) MAY_SUSPEND {
    if (!begin_to_confirm(win, process))
        return;
    OneSidedHeader header{.what = What::Flush};
    header.reply =
        reinterpret_cast<uint64_t>(new Expected{.win = &win, .request = nullptr, .memory = {}});
    send_one_sided(process, header);
}

// The target buffer as the target's process is told of it.
class Place {
public:
    Place(const TargetBuffer &target, const char *address, const Window &win) {
        // From an address here, or a displacement, to one there.
        const char *base = win.parts[target.rank].base;
        address_ = member_of(win, target.rank).base +
                   (reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(base));
        count_ = static_cast<uint64_t>(target.count);
        if (!target.type.contiguous)
            write_layout(target.type, description_);
    }

    bool is_dense() const { return description_.empty(); }

    // Of the data in a message: not much less than what comes with each.
    size_t piece_bytes() const { return std::max(piece_bytes_max, description_.size()); }

    const std::string &description() const { return description_; }

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

// A piece of the origin's buffer in its packed form: where it is, or a copy.
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

void put_large(const OriginBuffer &origin, size_t size_bytes, const Place &place,
               OneSidedHeader header, int process, Window &win,
               OneSidedRequest *request) MAY_SUSPEND {
    Expected *expected = expect_answer(win, request);
    expected->exposed = true;
    expected->memory = fabric_expose(origin.address, size_bytes);
    header.what = What::PutLarge;
    header.reply = reinterpret_cast<uint64_t>(expected);
    header.memory = expected->memory;
    place.write(header, 0, size_bytes);
    send_one_sided(process, header);
}

std::string lost_data(int process) {
    return "the window of a rank in node process " + std::to_string(process) +
           " cannot be read: " + std::strerror(errno);
}

void read_is_done(void *argument, bool ok) {
    auto *expected = static_cast<Expected *>(argument);
    if (!ok)
        job_abort(1, lost_data(expected->process));
    if (expected->piece)
        unpack_bytes(expected->piece, expected->first_byte, expected->size_bytes, expected->buffer,
                     expected->count, *expected->type);
    end(expected);
}

// Dense memory of the target, without its process.
void read_remotely(const OriginBuffer &origin, const RemoteMemory &memory, size_t offset,
                   size_t size_bytes, int process, Window &win,
                   OneSidedRequest *request) MAY_SUSPEND {
    const bool dense = origin.type.contiguous;
    const size_t piece = dense ? size_bytes : piece_bytes_max;
    for (size_t done = 0; done < size_bytes; done += piece) {
        const size_t here = std::min(piece, size_bytes - done);
        Expected *expected = expect_answer(win, request);
        expected->process = process;
        set_destination(*expected, origin, done, here);
        if (!dense)
            expected->piece = allocate(here);
        void *into = dense ? static_cast<char *>(origin.address) + done
                           : static_cast<char *>(expected->piece);
        fabric_read(process, memory, offset + done, into, here, read_is_done, expected);
    }
}

// Number by which the target's process knows a predefined datatype. Those without a name are like
// one with a name.
uint16_t number_of(const Datatype &element) {
    const Datatype *all = predefined_datatypes.types;
    if (&element >= all && &element < all + predefined_datatype_count)
        return static_cast<uint16_t>(&element - all);
    for (size_t i = 0; i < predefined_datatype_count; ++i)
        if (all[i].predefined && all[i].kind == element.kind && all[i].group == element.group &&
            all[i].size_bytes == element.size_bytes)
            return static_cast<uint16_t>(i);
    CHECK(false, "a predefined datatype of kind %d is not known elsewhere",
          static_cast<int>(element.kind));
}

// A call that waits for a value. It is not among the answers that a flush waits for: it may wait
// for another rank's unlock.
uint64_t ask(Window &win, int process, OneSidedHeader &header,
             const Blockage &blockage) MAY_SUSPEND {
    Completion answered;
    Expected expected{.win = &win, .request = nullptr, .memory = {}, .answered = &answered};
    header.reply = reinterpret_cast<uint64_t>(&expected);
    send_one_sided(process, header);
    wait_blocked(answered, blockage);
    return expected.value;
}

int home_process(const Window &win) {
    return member_of(win, 0).process;
}

OneSidedHeader lock_header(What what, const Window &win, int target, WindowLock::Mode mode) {
    OneSidedHeader header = header_for(what, win, std::max(target, 0));
    header.op = static_cast<uint8_t>(mode);
    header.whole_lock = target < 0;
    if (header.whole_lock)
        header.window = win.shared->remote->home_window;
    return header;
}

} // namespace

RemoteTraffic *new_traffic() {
    auto *traffic = new RemoteTraffic;
    traffic->unconfirmed.resize(static_cast<size_t>(node_process_count()));
    return traffic;
}

void forget_traffic(RemoteTraffic *traffic) {
    delete traffic;
}

Error OneSidedRequest::result(MPI_Status *status) {
    set_empty_status(status);
    return success;
}

void send_one_sided(int process, const OneSidedHeader &header, const void *first,
                    size_t first_bytes, const void *second, size_t second_bytes) {
    const iovec parts[] = {{const_cast<void *>(first), first_bytes},
                           {const_cast<void *>(second), second_bytes}};
    const int begin = first_bytes > 0 ? 0 : 1, end = second_bytes > 0 ? 2 : 1;
    fabric_send(process, Channel::PointToPoint, MessageKind::OneSided, &header, sizeof header,
                parts + begin, std::max(end - begin, 0));
}

void take_answer(const OneSidedHeader &header, const Arrival &arrival) {
    auto *expected = reinterpret_cast<Expected *>(header.reply);
    if (expected->answered) {
        expected->value = header.address;
        return expected->answered->complete();
    }
    if (header.what == What::Data)
        unpack_bytes(arrival.payload, expected->first_byte, expected->size_bytes, expected->buffer,
                     expected->count, *expected->type);
    end(expected);
}

void put_remotely(const OriginBuffer &origin, const TargetBuffer &target, const char *address,
                  Window &win, OneSidedRequest *request) {
    const size_t size_bytes = data_bytes(origin.count, origin.type);
    if (size_bytes == 0)
        return;
    const int process = member_of(win, target.rank).process;
    const Place place(target, address, win);
    OneSidedHeader header = header_for(What::Put, win, target.rank);
    if (place.is_dense() && origin.type.contiguous && size_bytes > settings().eager_bytes_max)
        return put_large(origin, size_bytes, place, header, process, win, request);
    for (size_t done = 0; done < size_bytes; done += place.piece_bytes()) {
        const size_t here = std::min(place.piece_bytes(), size_bytes - done);
        const PackedPiece piece(origin, done, here);
        place.write(header, done, here);
        send_one_sided(process, header, place.description().data(), place.description().size(),
                       piece.data(), here);
    }
    note_unconfirmed(win, process);
}

void get_remotely(const OriginBuffer &origin, const TargetBuffer &target, const char *address,
                  Window &win, OneSidedRequest *request) {
    const size_t size_bytes = data_bytes(target.count, target.type);
    if (size_bytes == 0)
        return;
    const Member &member = member_of(win, target.rank);
    const Place place(target, address, win);
    if (place.is_dense() && !win.dynamic)
        return read_remotely(origin, member.memory,
                             static_cast<size_t>(address - win.parts[target.rank].base), size_bytes,
                             member.process, win, request);
    OneSidedHeader header = header_for(What::Get, win, target.rank);
    for (size_t done = 0; done < size_bytes; done += place.piece_bytes()) {
        const size_t here = std::min(place.piece_bytes(), size_bytes - done);
        Expected *expected = expect_answer(win, request);
        set_destination(*expected, origin, done, here);
        header.reply = reinterpret_cast<uint64_t>(expected);
        place.write(header, done, here);
        send_one_sided(member.process, header, place.description().data(),
                       place.description().size());
    }
}

void combine_remotely(const RemoteCombination &c, const TargetBuffer &target, const char *address,
                      Window &win, OneSidedRequest *request) {
    const int process = member_of(win, target.rank).process;
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
        // Where the origin ends before the target, only the result goes on.
        header.combines = done < combined;
        const size_t here = std::min(piece_bytes, (header.combines ? combined : fetched) - done);
        header.reply = 0;
        if (c.result) {
            Expected *expected = expect_answer(win, request);
            set_destination(*expected, *c.result, done, here);
            header.reply = reinterpret_cast<uint64_t>(expected);
        }
        place.write(header, done, here);
        if (header.combines) {
            const PackedPiece piece(*c.origin, done, here);
            send_one_sided(process, header, place.description().data(), place.description().size(),
                           piece.data(), here);
        } else {
            send_one_sided(process, header, place.description().data(), place.description().size());
        }
        done += here;
    }
    if (!c.result)
        note_unconfirmed(win, process);
}

void compare_and_swap_remotely(const void *origin, const void *compare, void *result,
                               const TargetBuffer &target, const char *address, Window &win) {
    const auto size_bytes = static_cast<size_t>(target.type.size_bytes);
    const Place place(target, address, win);
    OneSidedHeader header = header_for(What::CompareAndSwap, win, target.rank);
    place.write(header, 0, size_bytes);
    Expected *expected = expect_answer(win, nullptr);
    set_destination(*expected, {result, 1, target.type}, 0, size_bytes);
    header.reply = reinterpret_cast<uint64_t>(expected);
    send_one_sided(member_of(win, target.rank).process, header, compare, size_bytes, origin,
                   size_bytes);
}

bool is_attached_remotely(Window &win, int rank, uintptr_t begin, uintptr_t end) {
    OneSidedHeader header = header_for(What::Attached, win, rank);
    header.address = begin;
    header.count = end;
    return ask(win, member_of(win, rank).process, header, AnswerBlockage(win)) != 0;
}

void flush_remote(Window &win, int rank) {
    if (rank >= 0) {
        confirm(win, member_of(win, rank).process);
    } else {
        const auto processes = static_cast<int>(win.traffic->unconfirmed.size());
        for (int process = 0; process < processes; ++process)
            confirm(win, process);
    }
    wait_for_answers(win);
}

void wait_for_answers(Window &win) {
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

bool is_whole_lock_remote(const Window &win) {
    return win.traffic && !win.parts[0].is_here();
}

bool acquire_remotely(Window &win, int target, WindowLock::Mode mode, bool overtake) {
    OneSidedHeader header = lock_header(What::Lock, win, target, mode);
    header.overtakes = overtake;
    const int process = target < 0 ? home_process(win) : member_of(win, target).process;
    return ask(win, process, header, LockBlockage(win, target, mode)) != 0;
}

void release_remotely(Window &win, int target, WindowLock::Mode mode) {
    OneSidedHeader header = lock_header(What::Unlock, win, target, mode);
    header.reply = reinterpret_cast<uint64_t>(expect_answer(win, nullptr));
    send_one_sided(target < 0 ? home_process(win) : member_of(win, target).process, header);
    wait_for_answers(win);
}

void tell_post_remotely(Window &win, int origin) {
    send_one_sided(member_of(win, origin).process, header_for(What::Post, win, origin));
}

void tell_complete_remotely(Window &win, int target) {
    send_one_sided(member_of(win, target).process, header_for(What::Complete, win, target));
}

} // namespace thrum
