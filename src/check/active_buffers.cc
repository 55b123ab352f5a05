#include "check/active_buffers.h"

#include "base/settings.h"
#include "check/finding.h"
#include "check/lock_soon.h"
#include "check/marked_lines.h"
#include "check/moment.h"
#include "check/span_index.h"
#include "trace/recorder.h"

#include <climits>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace thrum {

constinit bool checks_buffers = false;

namespace {

// A use of a buffer by an active operation.
struct ActiveUse {
    const void *owner;
    BufferUse use;
    HeldType type;  // of the use: the program may free it
    CallPlace call; // that has begun it
    BufferContents contents;
    UseGroup group;
    bool is_marked = false;   // its lines are, for programs that ask
    bool is_reported = false; // another warning says what has changed it
    bool was_changed = false;
    uint64_t fingerprint = 0; // of contents that only the program can change

    bool has_fingerprint() const { return contents != BufferContents::Varying; }

    // Notes whether the contents differ from those of the fingerprint.
    void compare() {
        if (has_fingerprint() && (!is_mapped(use) || fingerprint_of(use) != fingerprint))
            was_changed = true;
    }

    // Does the same at the end. A buffer that still awaits its message was cancelled, or written to
    // from another process.
    void compare_at_end() {
        if (contents == BufferContents::Fixed)
            compare();
    }
};

// Adds a use, unless the same call has begun one like it: a finding names only the first. A loop
// may have begun thousands.
void add_kind(std::vector<ActiveUse> &kinds, const ActiveUse &active) {
    const auto is_alike = [&](const ActiveUse &other) {
        return other.call.call_site == active.call.call_site &&
               other.call.function == active.call.function &&
               other.use.access == active.use.access && other.contents == active.contents;
    };
    if (std::ranges::none_of(kinds, is_alike))
        kinds.push_back(active);
}

class ActiveBuffers {
public:
    void add(const ActiveUse &active) {
        const std::lock_guard guard(mutex_);
        if (uses_.size() == uses_max)
            return;
        const auto place = uses_.add(span_of(active.use), active);
        by_owner_.emplace(active.owner, place);
        if (lines_are_watched()) {
            mark_lines(active.use, 1);
            place.thing().is_marked = true;
        }
        if (active.group.window)
            groups_.emplace(active.group.window, active.group.target, active.owner);
    }

    // Takes all uses of an operation out. Those that are `complete` are compared, under the lock:
    // another thread's call cannot return before, which completes them, too.
    std::vector<ActiveUse> take(const void *owner, bool complete) {
        std::vector<ActiveUse> taken;
        const std::lock_guard guard(mutex_);
        take_uses(owner, complete, taken);
        return taken;
    }

    // Takes out all uses of a window's complete operations at `target` (negative: at all).
    std::vector<ActiveUse> take_group(const void *window, int target) {
        std::vector<ActiveUse> taken;
        std::vector<const void *> owners;
        const std::lock_guard guard(mutex_);
        for (auto member = groups_.lower_bound({window, std::max(target, 0), nullptr});
             member != groups_.end() && std::get<0>(*member) == window &&
             (target < 0 || std::get<1>(*member) == target);
             ++member)
            owners.push_back(std::get<2>(*member));
        for (const void *owner : owners)
            take_uses(owner, true, taken);
        return taken;
    }

    // Calls visit(active use) for those of an operation, under the lock.
    template <class Visit>
    void visit(const void *owner, Visit visit) {
        const std::lock_guard guard(mutex_);
        const auto [begin, end] = by_owner_.equal_range(owner);
        for (auto place = begin; place != end; ++place)
            visit(place->second.thing());
    }

    // Returns the uses of other operations that `use` disturbs, one of each kind.
    std::vector<ActiveUse> find_disturbed(const BufferUse &use, const void *owner) {
        std::vector<ActiveUse> found;
        const std::lock_guard guard(mutex_);
        uses_.visit_near(span_of(use), [&](ActiveUse &active) {
            if (active.owner != owner && conflict(active.use, use)) {
                active.is_reported |= use.access == BufferAccess::Write;
                add_kind(found, active);
            }
            return true;
        });
        return found;
    }

    // Does the same for a load or store of the program, and notes it. Finds nothing if the caller
    // is a signal handler that has interrupted the holder of the lock.
    std::vector<ActiveUse> find_accessed(const BufferUse &use) {
        std::vector<ActiveUse> found;
        std::unique_lock guard(mutex_, std::defer_lock);
        if (!lock_soon(guard))
            return found;
        uses_.visit_near(span_of(use), [&](ActiveUse &active) {
            if (conflict(active.use, use)) {
                active.is_reported |= use.access == BufferAccess::Write;
                add_kind(found, active);
            }
            return true;
        });
        return found;
    }

private:
    static constexpr size_t uses_max = 1000000; // a one-sided epoch may have any number

    void take_uses(const void *owner, bool complete, std::vector<ActiveUse> &taken) {
        const auto [begin, end] = by_owner_.equal_range(owner);
        for (auto place = begin; place != end; ++place) {
            taken.push_back(uses_.take(place->second));
            if (complete)
                taken.back().compare_at_end();
            if (taken.back().is_marked)
                mark_lines(taken.back().use, -1);
            const UseGroup &group = taken.back().group;
            groups_.erase({group.window, group.target, owner});
        }
        by_owner_.erase(begin, end);
    }

    std::mutex mutex_; // guards the following; nobody suspends under it
    SpanIndex<ActiveUse> uses_;
    std::unordered_multimap<const void *, SpanIndex<ActiveUse>::Place> by_owner_;
    std::set<std::tuple<const void *, int, const void *>> groups_; // window, target, owner
};

void delete_buffers(ActiveBuffers *buffers) {
    delete buffers;
}

const Extension<Process, ActiveBuffers, delete_buffers> buffers_of_processes;

ActiveBuffers &own_buffers() {
    return buffers_of_processes.of(current_process()).get_or_make();
}

// Returns how the standard calls the buffer.
std::string name_of(const ActiveUse &active) {
    if (active.group.window)
        return "origin buffer";
    return active.use.access == BufferAccess::Read ? "send buffer" : "receive buffer";
}

std::string sentence_of_overlap(const ActiveUse &active, BufferAccess now) {
    return (now == BufferAccess::Read ? "reads the " : "writes to the ") + name_of(active) +
           " of %s, which is not complete";
}

void report_change(const ActiveUse &active) {
    report_finding(
        {PairMistake::Change, active.call, current_call(),
         "the " + name_of(active) + " of %s was changed before this call completed the operation"});
}

// Reports the buffers of complete operations that were changed, unless it is known by what.
void report_changes(const std::vector<ActiveUse> &complete) {
    for (const ActiveUse &active : complete)
        if (active.was_changed && !active.is_reported)
            report_change(active);
}

} // namespace

void begin_buffer_checks() {
    if (!settings().is_strict())
        return;
    checks_buffers = true;
    follow_ups.fetch_add(1, std::memory_order_relaxed); // blocking calls: arg::Buffer::examine()
    listeners.fetch_add(1, std::memory_order_relaxed);  // messages: note_told()
}

// One-sided operations at one target have one owner, and yet disturb each other. A receive may
// claim more memory than there is, and go well if the message is shorter.
void begin_use(const void *owner, const BufferUse &use, BufferContents contents,
               const UseGroup &group) {
    if (use.is_empty())
        return;
    check_use(use, group.window ? nullptr : owner);
    ActiveUse active{owner, use, HeldType(use), current_call(), contents, group};
    if (contents == BufferContents::Awaited && !is_mapped(use))
        active.contents = BufferContents::Varying;
    if (active.has_fingerprint())
        active.fingerprint = fingerprint_of(use);
    own_buffers().add(active);
}

void check_use(const BufferUse &use, const void *owner) {
    if (use.is_empty())
        return;
    for (const ActiveUse &active : own_buffers().find_disturbed(use, owner))
        report_finding({PairMistake::Overlap, active.call, current_call(),
                        sentence_of_overlap(active, use.access)});
}

void watch_for_a_moment(const BufferUse &use) {
    if (use.is_empty() || !is_moment_due())
        return;
    begin_use(&use, use, BufferContents::Varying);
    pass_moment();
    forget_uses(&use);
}

void check_program_access(const BufferUse &use, const void *place) {
    for (const ActiveUse &active : own_buffers().find_accessed(use))
        report_finding({.mistake = PairMistake::Overlap,
                        .first = active.call,
                        .second = {.function = 0, .call_site = place},
                        .sentence = sentence_of_overlap(active, use.access),
                        .access = use.access == BufferAccess::Read ? "load" : "store"});
}

void check_freed_buffer(const BufferUse &use, const void *place) {
    for (const ActiveUse &active : own_buffers().find_accessed(use))
        report_finding(
            {.mistake = PairMistake::Overlap,
             .first = active.call,
             .second = {.function = 0, .call_site = place},
             .sentence = "frees the " + name_of(active) + " of %s, which is not complete",
             .access = "free"});
}

void note_arrival(const Process &process, const void *owner) {
    if (ActiveBuffers *buffers = buffers_of_processes.of(process).get())
        buffers->visit(owner, [](ActiveUse &active) {
            active.compare();
            active.contents = BufferContents::Varying;
        });
}

void note_written(const Process &process, const void *owner) {
    if (ActiveBuffers *buffers = buffers_of_processes.of(process).get())
        buffers->visit(owner, [](ActiveUse &active) {
            if (!is_mapped(active.use))
                return;
            active.fingerprint = fingerprint_of(active.use);
            active.contents = BufferContents::Fixed;
        });
}

void end_uses(const void *owner) {
    report_changes(own_buffers().take(owner, true));
}

void end_group(const void *window, int target) {
    report_changes(own_buffers().take_group(window, target));
}

void forget_uses(const void *owner) {
    own_buffers().take(owner, false);
}

} // namespace thrum
