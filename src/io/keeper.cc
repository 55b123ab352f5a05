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

// A range that a rank of another process claims.
struct ClaimFromElsewhere {
    OpenFile &file; // with a reference
    NodeProcess process;
    uint64_t asker;
    RangeLock::Claim claim;
    // Guarded by the lock of all.
    bool granted = false;
    bool asker_is_lost = false; // before it was granted: it is released then
    ListHook hook{};            // in the list of all
};

struct ClaimsFromElsewhere {
    SpinLock lock; // guards the list
    List<ClaimFromElsewhere, &ClaimFromElsewhere::hook> list;
};

ClaimsFromElsewhere &claims_from_elsewhere() {
    static auto *claims = new ClaimsFromElsewhere; // never destroyed: messages come until the end
    return *claims;
}

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

// For a claim of this process.
struct AskedRange : KeepersAnswer {
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

Offset advance_here(OpenFile &file, Offset etypes, Offset end) {
    LockGuard guard(file.pointer_lock);
    const Offset before = file.shared_pointer;
    file.shared_pointer += std::clamp<Offset>(end - before, 0, etypes);
    return before;
}

// Its asker has released it, or is lost.
void end_claim(ClaimFromElsewhere *other) {
    OpenFile &file = other->file;
    file.ranges.release(other->claim);
    delete other;
    release(file);
}

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

void unlock(uint64_t lock) {
    auto *other = reinterpret_cast<ClaimFromElsewhere *>(lock);
    {
        LockGuard guard(claims_from_elsewhere().lock);
        other->hook.unlink();
    }
    end_claim(other);
}

// One that has not been granted keeps its place until it is: others may be about to grant it.
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
