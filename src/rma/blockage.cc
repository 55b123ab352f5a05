// The texts of blockages. Each function writes what follows the name of the blocked call, and
// returns the world rank of the only rank that is waited for; -1 if there are several, or it is
// unknown.
#include "rma/blockage.h"

#include "comm/group.h"
#include "rma/epoch.h"

#include <cstdio>

namespace thrum {
namespace {

constexpr size_t window_text_bytes = 160;

// Returns the number in the job of a rank of the window, which reports use.
int world_rank(const Window &win, int rank) {
    return (*win.comm->group)[rank].world_rank();
}

// Writes "on WINDOW: rank 3 has not called MPI_Win_post" for the missing ranks.
int describe_missing(const Window &win, const std::vector<int> &missing, const char *function,
                     char *text, size_t size_bytes) {
    char window[window_text_bytes];
    describe(win, window, sizeof window);
    if (missing.empty()) {
        std::snprintf(text, size_bytes, " on %s", window);
        return -1;
    }
    char others[32] = "";
    if (missing.size() > 1)
        std::snprintf(others, sizeof others, " and %zu more", missing.size() - 1);
    std::snprintf(text, size_bytes, " on %s: rank %d%s %s not called %s", window, missing[0],
                  others, missing.size() > 1 ? "have" : "has", function);
    return missing.size() == 1 ? world_rank(win, missing[0]) : -1;
}

int describe_post(const Blockage &blockage, char *text, size_t size_bytes) {
    const Window &win = static_cast<const PostBlockage &>(blockage).win;
    return describe_missing(win, win.awaited_posts, "MPI_Win_post", text, size_bytes);
}

int describe_complete(const Blockage &blockage, char *text, size_t size_bytes) {
    const Window &win = static_cast<const CompleteBlockage &>(blockage).win;
    return describe_missing(win, win.exposed_to, "MPI_Win_complete", text, size_bytes);
}

int describe_answers(const Blockage &blockage, char *text, size_t size_bytes) {
    char window[window_text_bytes];
    describe(static_cast<const AnswerBlockage &>(blockage).win, window, sizeof window);
    std::snprintf(text, size_bytes, " on %s, for answers of other processes", window);
    return -1;
}

// Returns how the rank of `holder` holds the lock that `wanted` waits for; nullptr if it does not.
const char *held(const Window &holder, const LockBlockage &wanted) {
    bool all = holder.epoch.load(std::memory_order_relaxed) == Epoch::LockedAll;
    if (wanted.target < 0) { // MPI_Win_lock_all waits: finds the holder of an exclusive lock
        return holder.exclusive_held > 0 ? "exclusively" : nullptr;
    }
    TargetAccess access = access_to(holder, wanted.target);
    if (access == TargetAccess::Exclusive)
        return "exclusively";
    if (wanted.mode == WindowLock::Mode::Shared)
        return nullptr;
    if (access == TargetAccess::Shared)
        return "shared";
    return all && !holder.all_unchecked ? "by MPI_Win_lock_all" : nullptr;
}

// Finds the holders by asking all members of this process. Holders in other processes are not
// named.
int describe_lock(const Blockage &blockage, char *text, size_t size_bytes) {
    const auto &wanted = static_cast<const LockBlockage &>(blockage);
    char window[window_text_bytes], what[48] = "", holders[96] = "";
    describe(wanted.win, window, sizeof window);
    if (wanted.target >= 0)
        std::snprintf(what, sizeof what, "(%s, rank %d)",
                      wanted.mode == WindowLock::Mode::Shared ? "shared" : "exclusive",
                      wanted.target);
    int first = -1, count = 0;
    const char *how = "";
    for (int rank = 0; rank < wanted.win.size; ++rank)
        if (const Window *holder = wanted.win.parts[rank].window;
            const char *found = holder ? held(*holder, wanted) : nullptr) {
            if (count++ == 0) {
                first = rank;
                how = found;
            }
        }
    if (count == 1)
        std::snprintf(holders, sizeof holders, ", which rank %d holds %s", first, how);
    else if (count > 1)
        std::snprintf(holders, sizeof holders, ", which rank %d (%s) and %d more hold", first, how,
                      count - 1);
    std::snprintf(text, size_bytes, "%s on %s%s", what, window, holders);
    return count == 1 ? world_rank(wanted.win, first) : -1;
}

Blockage described(const Window &win, Blockage::Describe *describe_function) {
    Blockage blockage;
    blockage.kind = Blockage::Kind::Described;
    blockage.describe = describe_function;
    blockage.communicator = win.comm;
    return blockage;
}

} // namespace

PostBlockage::PostBlockage(const Window &window)
    : Blockage(described(window, describe_post)), win(window) {}

CompleteBlockage::CompleteBlockage(const Window &window)
    : Blockage(described(window, describe_complete)), win(window) {}

AnswerBlockage::AnswerBlockage(const Window &window)
    : Blockage(described(window, describe_answers)), win(window) {}

LockBlockage::LockBlockage(const Window &window, int locked_target, WindowLock::Mode wanted)
    : Blockage(described(window, describe_lock)), win(window), target(locked_target), mode(wanted) {
}

} // namespace thrum
