// Runs and ends contained ranks (contained.h).
//
// Unwinding is that of pthread_cancel(): _Unwind_ForcedUnwind() of libgcc runs the destructors of
// each C++ frame, and C frames with the unwind tables that all code for x86-64 has. libmpi's own
// frames have tables but no destructors that count: nothing of the library is held over a
// suspension, and what operations have left on the stack refers to the run alone.
#include "rank/contained.h"

#include "base/check.h"
#include "base/held_locks.h"
#include "base/tools.h"
#include "fiber/blocking_call.h"
#include "image/image.h"
#include "rank/c_library.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace thrum {
namespace {

using ForcedUnwind = _Unwind_Reason_Code(_Unwind_Exception *, _Unwind_Stop_Fn, void *);
using FrameAddress = _Unwind_Word(_Unwind_Context *);
using FrameTable = void *(_Unwind_Context *);
using FrameInstruction = _Unwind_Ptr(_Unwind_Context *, int *);
using FrameFunction = _Unwind_Ptr(_Unwind_Context *);

// The unwinder that the program uses: libmpi's own copy of libgcc would not know the contexts that
// the personality functions of the program's C++ run time expect.
struct Unwinder {
    ForcedUnwind *unwind = nullptr; // nullptr: none can be loaded
    FrameAddress *frame_address = nullptr;
    FrameTable *table = nullptr;
    FrameInstruction *instruction = nullptr;
    FrameFunction *function = nullptr;

    Unwinder() {
        void *library = RTLD_DEFAULT;
        if (!::dlsym(library, "_Unwind_ForcedUnwind"))
            library = ::dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_GLOBAL);
        if (!library && !::dlsym(RTLD_DEFAULT, "_Unwind_ForcedUnwind"))
            return;
        unwind = reinterpret_cast<ForcedUnwind *>(::dlsym(library, "_Unwind_ForcedUnwind"));
        frame_address = reinterpret_cast<FrameAddress *>(::dlsym(library, "_Unwind_GetCFA"));
        table = reinterpret_cast<FrameTable *>(::dlsym(library, "_Unwind_GetLanguageSpecificData"));
        instruction = reinterpret_cast<FrameInstruction *>(::dlsym(library, "_Unwind_GetIPInfo"));
        function = reinterpret_cast<FrameFunction *>(::dlsym(library, "_Unwind_GetRegionStart"));
    }
};

const Unwinder &unwinder() {
    static const Unwinder the_unwinder;
    return the_unwinder;
}

// Returns the address of a function of libgcc_s in the rank's image.
template <class Function>
Function *in_image(const Contained &self, Function *function) {
    return reinterpret_cast<Function *>(
        translate(self.rank->image, reinterpret_cast<const void *>(function)));
}

// Reads the table of call sites of a C++ frame ("Itanium C++ ABI: Exception Handling", section 7).
class CallSites {
public:
    explicit CallSites(const unsigned char *table) : next_(table) {
        constexpr unsigned char omitted = 0xff;
        if (*next_++ != omitted)
            return; // landing pads from elsewhere: gcc and clang never do that
        if (*next_++ != omitted)
            read_number(); // the offset of the table of types
        encoding_ = *next_++;
        const uint64_t bytes = read_number();
        end_ = next_ + bytes;
    }

    // Returns whether the table is of a kind that is known here, and has no entry for the offset.
    bool lacks(uint64_t offset) {
        constexpr unsigned char numbers = 1, words = 3;
        if (encoding_ != numbers && encoding_ != words)
            return false;
        while (next_ < end_) {
            const uint64_t start = read_value(), size = read_value();
            read_value();  // landing pad
            read_number(); // action
            if (offset < start)
                return true;
            if (offset < start + size)
                return false;
        }
        return true;
    }

private:
    uint64_t read_number() { // ULEB128
        uint64_t value = 0;
        unsigned char byte;
        unsigned shift = 0;
        do {
            byte = *next_++;
            value |= uint64_t{byte & 0x7fU} << shift;
            shift += 7;
        } while (byte & 0x80U);
        return value;
    }

    uint64_t read_value() {
        if (encoding_ == 1)
            return read_number();
        uint32_t word;
        std::memcpy(&word, next_, sizeof word);
        next_ += sizeof word;
        return word;
    }

    const unsigned char *next_;
    const unsigned char *end_ = nullptr;
    unsigned char encoding_ = 0;
};

// Returns whether the C++ run time would call std::terminate() in this frame: its call cannot throw
// by its declaration (exit() and __assert_fail() cannot), or the function is noexcept.
bool would_terminate(const Contained &self, _Unwind_Context *context) {
    const auto *table =
        static_cast<const unsigned char *>(in_image(self, unwinder().table)(context));
    if (!table)
        return false;
    int is_before = 0; // the instruction is that of a signal, not of a call
    _Unwind_Ptr address = in_image(self, unwinder().instruction)(context, &is_before);
    if (!is_before)
        --address;
    return CallSites(table).lacks(address - in_image(self, unwinder().function)(context));
}

// Stops at the frame of live_contained(), or where nobody can unwind further.
_Unwind_Reason_Code stop_unwinding(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                   _Unwind_Exception *, _Unwind_Context *context, void *argument) {
    auto &self = *static_cast<Contained *>(argument);
    if ((actions & _UA_END_OF_STACK) ||
        in_image(self, unwinder().frame_address)(context) >=
            reinterpret_cast<_Unwind_Word>(self.frame) ||
        would_terminate(self, context))
        longjmp(self.end, 1);
    return _URC_NO_REASON;
}

[[noreturn]] void unwind(Contained &self) {
    forget_frames();
    if (unwinder().unwind)
        in_image(self, unwinder().unwind)(&self.exception, &stop_unwinding, &self);
    longjmp(self.end, 1); // a frame that nobody can unwind
}

// Called when a catch (...) of the program has ended without throwing again: goes on from there.
void on_swallowed(_Unwind_Reason_Code, _Unwind_Exception *) {
    if (Contained *self = contained_caller())
        unwind(*self);
}

// Forgets the call that the rank is leaving: reports must not follow pointers to its stack.
void forget_call(RankThread &thread) {
    thread.call.blockage.store(nullptr, std::memory_order_relaxed);
    thread.call.polls.store(nullptr, std::memory_order_relaxed);
    thread.call.copies_for.store(nullptr, std::memory_order_relaxed);
    thread.call.function.store(0, std::memory_order_relaxed);
    thread.call.call_site.store(nullptr, std::memory_order_relaxed);
}

bool has_failed(const Contained &member) {
    return member.failure.load(std::memory_order_relaxed) != RankEnd::Returned;
}

void add_text(Contained &member, const char *text) {
    const size_t room_bytes = sizeof member.text - 1 - member.text_bytes;
    const size_t added_bytes = std::min(std::strlen(text), room_bytes);
    std::memcpy(member.text + member.text_bytes, text, added_bytes);
    member.text_bytes += added_bytes;
    member.text[member.text_bytes] = 0;
}

// Keeps one line of report(), with the rank's number in its run in place of that in the job.
bool keep_line(const char *line) {
    Contained *self = contained_caller();
    if (!self || !self->keeps_reports)
        return false;
    if (has_failed(*self)) // a consequence
        return true;
    char own[32], translated[32] = "";
    const int own_length = std::snprintf(own, sizeof own, "rank %d", self->rank->world_rank);
    if (std::strncmp(line, own, static_cast<size_t>(own_length)) == 0 &&
        (line[own_length] < '0' || line[own_length] > '9')) {
        std::snprintf(translated, sizeof translated, "rank %d", self->number);
        line += own_length;
    }
    add_text(*self, self->text_bytes ? "\n" : "");
    add_text(*self, translated);
    add_text(*self, line);
    return true;
}

// Runs the function, with the program's constructors and end in an image of its own.
void run_function(Contained &self) MAY_SUSPEND {
    Rank &rank = *self.rank;
    if (self.has_own_process_state) {
        c_library().enter_main_thread(rank);
        auto [argc, argv] = *rank.libc;
        run_constructors(*rank.image, argc, argv, environment_of(rank));
    }
    const int code = self.run->call(self);
    if (self.process_id != ::getpid()) { // a child of fork(), which has nobody to return to
        std::fflush(nullptr);
        ::_exit(code & 0xff);
    }
    if (code != 0)
        note_failure(self, RankEnd::Exited, code, exit_text(code).text);
    if (self.has_own_process_state)
        c_library().exit_rank(code & 0xff); // ends in end_rank(), which jumps back
}

} // namespace

Contained *contained_caller() {
    auto *thread = static_cast<RankThread *>(current_task_or_null);
    if (!thread || !thread->rank || thread != thread->rank)
        return nullptr;
    Contained *self = thread->rank->contained;
    return self && self->process_id == ::getpid() ? self : nullptr;
}

void note_failure(Contained &member, RankEnd end, int code, const char *text) {
    static std::atomic<uint64_t> failures{0};
    if (has_failed(member))
        return;
    if (text) {
        member.text_bytes = 0;
        member.text[0] = 0;
        add_text(member, text);
    }
    member.code = code;
    member.failure_number = failures.fetch_add(1, std::memory_order_relaxed) + 1;
    member.failure.store(end, std::memory_order_relaxed);
}

// The frame of this function outlives everything that the rank does: _setjmp() returns here a
// second time however it ends.
[[gnu::noinline]] void live_contained(Rank &rank) {
    Contained &self = *rank.contained;
    set_current_image(rank.image);
    set_report_keeper(&keep_line);
    self.frame = __builtin_frame_address(0);
    self.exception.exception_class = 0x544852554D52554E; // "THRUMRUN"
    self.exception.exception_cleanup = &on_swallowed;
    self.process_id = ::getpid();
    if (_setjmp(self.end) == 0)
        run_function(self);
    Contained &me = *current_rank().contained; // no local survives the jump for certain
    Rank &ended = *me.rank;
    me.was_inside_mpi = me.was_inside_mpi || is_in_mpi(ended);
    forget_held_locks();
    WatchedCall::end_all();
    WatchedCall watched; // the caller of the run sees what the rank has done
    forget_call(ended);
    me.is_unwinding = true; // what still runs here can no longer be unwound
    if (!me.has_abandoned_stack)
        c_library().end_thread_of_contained();
    ended.contained = nullptr;                          // the run may be gone soon
    ended.ended.store(true, std::memory_order_release); // release [rank-end-1]: all that it did
    me.run->rank_has_ended(me);
}

ExitText exit_text(int code) {
    ExitText result;
    std::snprintf(result.text, sizeof result.text, "ended with exit code %d", code);
    return result;
}

void leave_contained(Contained &self, int code) {
    if (code != 0)
        note_failure(self, RankEnd::Exited, code, exit_text(code).text);
    longjmp(self.end, 1);
}

void end_contained(Contained &self, RankEnd end, int code, const char *text) {
    if (end != RankEnd::Returned)
        note_failure(self, end, code, text);
    self.keeps_reports = false;
    self.run->close_mpi(self);
    self.was_inside_mpi = is_in_mpi(*self.rank);
    forget_call(*self.rank);
    forget_held_locks();
    WatchedCall::end_all(); // what the program's destructors do is watched again
    assert_may_suspend();
    abandon_blocking_calls(); // of which a signal handler may have ended the rank
    if (self.is_unwinding)
        longjmp(self.end, 1);
    self.is_unwinding = true;
    unwind(self);
}

void abandon_contained(Contained &self, RankEnd end, int code) {
    self.keeps_reports = false;
    self.has_abandoned_stack = true;
    self.is_unwinding = true;
    note_failure(self, end, code, nullptr);
    self.run->close_mpi(self);
    longjmp(self.end, 1);
}

bool keep_reports_of_caller() {
    Contained *self = contained_caller();
    if (!self)
        return false;
    self->keeps_reports = true;
    return true;
}

bool is_in_mpi(const Rank &rank) {
    return rank.call.function.load(std::memory_order_relaxed) != 0;
}

bool waits_in_mpi(const Rank &rank) {
    return rank.state.load(std::memory_order_relaxed) == TaskState::Waiting &&
           rank.call.function.load(std::memory_order_relaxed) != 0 &&
           rank.call.blockage.load(std::memory_order_relaxed) != nullptr &&
           rank.blocking_call.load(std::memory_order_relaxed) == nullptr;
}

void wake_condemned(Contained &member) {
    if (waits_in_mpi(*member.rank))
        make_runnable(*member.rank);
}

void look_at_condemned(const void *instruction) {
    Contained *self = contained_caller();
    if (!self || !self->is_condemned.load(std::memory_order_relaxed) || self->is_unwinding)
        return;
    // release [seen-outside-1]: what it did in MPI before.
    self->was_seen_outside.store(true, std::memory_order_release);
    if (!self->is_to_be_abandoned.load(std::memory_order_relaxed))
        return;
    const char *path = locate(instruction).path;
    const char *slash = path ? std::strrchr(path, '/') : nullptr;
    const char *name = slash ? slash + 1 : path ? path : "";
    // The C library may hold a lock there, of the allocator for example.
    if (!*name || std::strncmp(name, "libc.", 5) == 0 || std::strncmp(name, "ld-", 3) == 0)
        return;
    note_failure(*self, RankEnd::Abandoned, 0,
                 "computed on after its run was over, and was stopped where it was: destructors of "
                 "its stack have not run, and locks that it held stay locked");
    abandon_contained(*self, RankEnd::Abandoned, 0);
}

void end_if_condemned(RankThread &thread) {
    Contained *self = thread.rank->contained;
    if (!self || !self->is_condemned.load(std::memory_order_relaxed) || self->is_unwinding ||
        thread.call.function.load(std::memory_order_relaxed) == 0 ||
        thread.blocking_call.load(std::memory_order_relaxed) || self != contained_caller())
        return;
    // Ranks that waited have been given a better text.
    end_contained(*self, RankEnd::TimedOut, 0, "was ended at an MPI call, as its run was over");
}

} // namespace thrum
