#include "check/own_windows.h"

#include "base/spinlock.h"
#include "check/finding.h"
#include "check/marked_lines.h"
#include "comm/process.h"
#include "rank/program_state.h"
#include "rank/thread_stack.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace thrum {
namespace {

constinit std::atomic<bool> is_lost{false};

// Those of a rank. Its threads share them.
struct OwnWindows {
    std::mutex mutex; // guards `windows`; nobody suspends under it
    std::vector<std::shared_ptr<const OwnWindow>> windows;
    // How often the rank has told others something. Read by other ranks' operations.
    std::atomic<uint64_t> told{1};
};

void delete_windows(OwnWindows *windows) {
    delete windows;
}

const Extension<Process, OwnWindows, delete_windows> windows_of_processes;

BufferUse use_of(const MemorySpan &span) {
    return {reinterpret_cast<const void *>(span.low), static_cast<Count>(span.size_bytes()),
            find_datatype(MPI_BYTE), BufferAccess::Write};
}

// Calls visit(window) for those of the calling rank that have bytes in `span`, without the lock: it
// may print.
template <class Visit>
void visit_windows_at(const MemorySpan &span, Visit visit) {
    OwnWindows *all = windows_of_processes.of(current_process()).get();
    if (!all)
        return;
    for (size_t i = 0;; ++i) {
        std::shared_ptr<const OwnWindow> own;
        {
            std::unique_lock guard(all->mutex, std::defer_lock);
            if (!lock_soon(guard))
                return;
            while (i < all->windows.size() && !all->windows[i]->span.meets(span))
                ++i;
            if (i == all->windows.size())
                return;
            own = all->windows[i];
        }
        visit(*own);
    }
}

// Returns whether the memory is on the stack of the calling thread, in frames that have returned.
bool is_on_returned_stack(const MemorySpan &span) {
    const RankThread &self = current_rank_thread();
    const auto own = reinterpret_cast<uintptr_t>(self.stack_low);
    const uintptr_t low = own ? own : thread_stack().low;
    return low != 0 && span.low >= low && span.high <= program_stack_end();
}

} // namespace

void begin_own_window(OwnWindow own) {
    OwnWindows &all = windows_of_processes.of(current_process()).get_or_make();
    own.part = own.accesses->begin_local(own.rank, &all.told);
    const std::lock_guard guard(all.mutex);
    if (lines_are_watched())
        mark_lines(use_of(own.span), 1);
    all.windows.push_back(std::make_shared<const OwnWindow>(std::move(own)));
}

void end_own_window(const void *window) {
    OwnWindows *all = windows_of_processes.of(current_process()).get();
    if (!all)
        return;
    const std::lock_guard guard(all->mutex);
    const auto place = std::ranges::find_if(
        all->windows, [window](const auto &own) { return own->window == window; });
    if (place == all->windows.end())
        return;
    const OwnWindow &own = **place;
    if (is_on_returned_stack(own.span))
        report_finding({.mistake = PairMistake::Overlap,
                        .first = own.made,
                        .second = current_call(),
                        .sentence = "the memory of the window that %s has made was on the stack of "
                                    "a function that has returned"});
    own.accesses->end_local(own.rank);
    if (lines_are_watched())
        mark_lines(use_of(own.span), -1);
    all->windows.erase(place);
}

void detail::note_told() {
    if (OwnWindows *all = windows_of_processes.of(current_process()).get())
        all->told.fetch_add(1, std::memory_order_relaxed);
}

void note_told_at_end_of_epoch(const void *window, bool is_last) {
    OwnWindows *all = windows_of_processes.of(current_process()).get();
    if (!all)
        return;
    const uint64_t before = all->told.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard guard(all->mutex);
    for (const auto &own : all->windows)
        if (own->window == window) {
            const std::lock_guard part_guard(own->part->mutex);
            own->part->accesses.keep(before, before + 1, is_last);
        }
}

void lose_own_accesses() {
    is_lost.store(true, std::memory_order_relaxed);
}

void check_freed_window(const BufferUse &use, const void *place) {
    visit_windows_at(span_of(use), [place](const OwnWindow &own) {
        report_finding({.mistake = PairMistake::Overlap,
                        .first = own.made,
                        .second = {.function = 0, .call_site = place},
                        .sentence = "frees memory of the window that %s has made",
                        .access = "free"});
    });
}

void check_own_access(const BufferUse &use, const CallPlace &call) {
    const MemorySpan span = span_of(use);
    visit_windows_at(span, [&](const OwnWindow &own) {
        own.accesses->add_local(
            own.rank, *own.part,
            {span, use.access == BufferAccess::Write, call, own.epochs_of(own.window)},
            !is_lost.load(std::memory_order_relaxed));
    });
}

} // namespace thrum
