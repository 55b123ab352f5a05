// Both sides of the keeper's protocol (keeper.h): what the keeper does for other processes, and
// what another process asks of it.
//
// A range that another process asks for is a ClaimFromElsewhere in the keeper. Its address travels
// to the asker in Locked, and comes back in Unlock. It is freed at Unlock or when its process is
// lost: `granted` and `asker_is_lost`, under one lock, make sure that exactly one of these does it.
#include "io/keeper.h"

#include "base/check.h"
#include "io/file_message.h"
#include "pt2pt/blocked.h"
#include "pt2pt/lost.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <vector>

namespace thrum {
namespace {

// A range that a rank of another process has asked for.
struct ClaimFromElsewhere {
    OpenFile &file; // with a reference
    NodeProcess process;
    uint64_t asker; // its KeepersAnswer, in its process
    RangeLock::Claim claim;
    // Guarded by the lock of ClaimsFromElsewhere.
    bool granted = false;
    bool asker_is_lost = false; // before the grant, which then frees the claim
    ListHook hook{};            // in ClaimsFromElsewhere::list
};

// All claims of other processes on files that are kept here, for the loss of a process.
struct ClaimsFromElsewhere {
    SpinLock lock; // guards the list
    List<ClaimFromElsewhere, &ClaimFromElsewhere::hook> list;
};

ClaimsFromElsewhere &claims_from_elsewhere() {
    static auto *claims = new ClaimsFromElsewhere; // never destroyed: messages come until the end
    return *claims;
}

// The answer to Advance, on the stack of the rank that waits.
struct PointerAnswer : KeepersAnswer {
    PointerAnswer() {
        end_without = [](KeepersAnswer &answer) {
            auto &self = static_cast<PointerAnswer &>(answer);
            self.keeper_is_lost = true;
            self.done.complete();
        };
    }

    Completion done;
    Offset position = 0;
    bool keeper_is_lost = false;
};

// The answer to Lock. It grants the claim of this process, and frees itself.
struct AskedRange : KeepersAnswer {
    // If the keeper is lost, the claim is granted all the same, marked: its owner returns an error.
    explicit AskedRange(RangeLock::Claim &of) : claim(of) {
        end_without = [](KeepersAnswer &answer) {
            auto *self = static_cast<AskedRange *>(&answer);
            RangeLock::Claim &claim = self->claim;
            delete self;
            claim.keeper_is_lost = true;
            claim.grant();
        };
    }

    RangeLock::Claim &claim;
};

// Moves the shared pointer of a file that is kept here on by `etypes`, at most to `end`, and
// returns its old position. If it is beyond `end` already, it stays.
Offset advance_here(OpenFile &file, Offset etypes, Offset end) {
    LockGuard guard(file.pointer_lock);
    const Offset before = file.shared_pointer;
    file.shared_pointer += std::clamp<Offset>(end - before, 0, etypes);
    return before;
}

// Releases and frees a claim that its asker has released, or whose asker is lost. The reference to
// the file is dropped last: the claim is part of the file's RangeLock until then.
void end_claim(ClaimFromElsewhere *other) {
    OpenFile &file = other->file;
    file.ranges.release(other->claim);
    delete other;
    release(file);
}

// Tells the asker, or frees the claim if the asker was lost meanwhile.
void claim_is_granted(void *argument) MAY_SUSPEND {
    auto *other = static_cast<ClaimFromElsewhere *>(argument);
    bool asker_is_lost;
    {
        LockGuard guard(claims_from_elsewhere().lock);
        other->granted = true;
        asker_is_lost = other->asker_is_lost;
    }
    if (asker_is_lost)
        return end_claim(other);
    send_file_message(other->process, {FileMessageKind::Locked, other->file.sharing.id,
                                       other->asker, reinterpret_cast<uint64_t>(other), 0, 0, 0});
}

// Queues a claim for another process. It is in the list before it can be granted, so the loss of
// its process finds it.
void lock_for(NodeProcess process, const FileMessage &asked) {
    auto *other = new ClaimFromElsewhere{kept_file(asked.file), process, asked.asker, {}};
    other->claim.first = asked.first;
    other->claim.end = asked.end;
    other->claim.exclusive = asked.flag != 0;
    other->claim.argument = other;
    other->claim.on_grant = claim_is_granted;
    {
        LockGuard guard(claims_from_elsewhere().lock);
        claims_from_elsewhere().list.push_back(*other);
    }
    other->file.ranges.ask(other->claim);
}

// Frees a claim that another process has released.
void unlock(uint64_t lock) {
    auto *other = reinterpret_cast<ClaimFromElsewhere *>(lock);
    {
        LockGuard guard(claims_from_elsewhere().lock);
        other->hook.unlink();
    }
    end_claim(other);
}

// Frees the granted claims of a lost process. A claim that has not been granted keeps its place in
// the queue until it is: another thread may be about to grant it.
void end_claims_of(NodeProcess process) {
    std::vector<ClaimFromElsewhere *> granted;
    {
        ClaimsFromElsewhere &claims = claims_from_elsewhere();
        LockGuard guard(claims.lock);
        for (ClaimFromElsewhere *other = claims.list.front(); other;) {
            ClaimFromElsewhere *next = claims.list.next(*other);
            if (other->process == process) {
                other->hook.unlink();
                other->asker_is_lost = true;
                if (other->granted)
                    granted.push_back(other);
            }
            other = next;
        }
    }
    for (ClaimFromElsewhere *other : granted)
        end_claim(other);
}

// Takes all messages of kind File, in the keeper and in those that ask it. Arrive function: any
// thread; must not wait.
void message_arrived(void *, const Arrival &arrival) MAY_SUSPEND {
    const FileMessage message = file_message_of(arrival);
    switch (message.kind) {
    case FileMessageKind::Advance: {
        OpenFile &file = kept_file(message.file);
        const Offset before = advance_here(file, message.first, message.end);
        send_file_message(arrival.source, {FileMessageKind::Advanced, message.file, message.asker,
                                           0, before, 0, 0});
        return release(file);
    }
    case FileMessageKind::Advanced: {
        auto &answer = static_cast<PointerAnswer &>(answered_by(message));
        answer.position = message.first;
        return answer.done.complete();
    }
    case FileMessageKind::Lock:
        return lock_for(arrival.source, message);
    case FileMessageKind::Locked: {
        auto *asked = static_cast<AskedRange *>(&answered_by(message));
        RangeLock::Claim &claim = asked->claim;
        delete asked;
        claim.keepers_part = message.lock;
        return claim.grant();
    }
    case FileMessageKind::Unlock:
        return unlock(message.lock);
    default:
        CHECK(false, "a message of kind %u to a keeper", static_cast<unsigned>(message.kind));
    }
}

} // namespace

void begin_keeper_messages() {
    set_arrive_function(MessageKind::File, message_arrived);
    when_process_is_lost(end_claims_of);
}

Error advance_shared_pointer(OpenFile &file, Offset etypes, Offset &before, Offset end) {
    if (is_keeper(file)) {
        before = advance_here(file, etypes, end);
        return success;
    }
    PointerAnswer answer;
    ask_keeper(file, answer, {FileMessageKind::Advance, file.sharing.id, 0, 0, etypes, end, 0});
    wait_blocked(answer.done, {.kind = Blockage::Kind::Requests, .request_count = 1});
    if (answer.keeper_is_lost)
        return keeper_lost_error(file);
    before = answer.position;
    return success;
}

void set_shared_pointer(OpenFile &file, Offset position) {
    LockGuard guard(file.pointer_lock);
    file.shared_pointer = position;
}

void ask_range(OpenFile &file, RangeLock::Claim &claim) {
    if (is_keeper(file))
        return file.ranges.ask(claim);
    ask_keeper(
        file, *new AskedRange(claim),
        {FileMessageKind::Lock, file.sharing.id, 0, 0, claim.first, claim.end, claim.exclusive});
}

void release_range(OpenFile &file, RangeLock::Claim &claim) {
    if (is_keeper(file))
        return file.ranges.release(claim);
    if (!claim.keeper_is_lost)
        send_file_message(file.sharing.keeper, {FileMessageKind::Unlock, file.sharing.id, 0,
                                                claim.keepers_part, 0, 0, 0});
}

} // namespace thrum
