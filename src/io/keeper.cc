#include "io/keeper.h"

#include "base/check.h"
#include "io/file_message.h"
#include "pt2pt/wait.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace thrum {
namespace {

struct KeptFiles {
    SpinLock lock; // guards the map
    std::unordered_map<uint32_t, OpenFile *> by_id;
};

KeptFiles &kept_files() {
    static auto *files = new KeptFiles; // never destroyed: messages come until the process ends
    return *files;
}

// A range that a rank of another process claims.
struct ClaimFromElsewhere {
    OpenFile &file;
    int process;
    uint64_t asker;
    RangeLock::Claim claim;
};

struct PointerAnswer {
    Completion done;
    Offset position = 0;
};

Offset advance_here(OpenFile &file, Offset etypes, Offset end) {
    LockGuard guard(file.pointer_lock);
    const Offset before = file.shared_pointer;
    file.shared_pointer += std::clamp<Offset>(end - before, 0, etypes);
    return before;
}

void lock_for(int process, const FileMessage &asked) {
    auto *other = new ClaimFromElsewhere{kept_file(asked.file), process, asked.asker, {}};
    other->claim.first = asked.first;
    other->claim.end = asked.end;
    other->claim.exclusive = asked.flag != 0;
    other->claim.argument = other;
    other->claim.on_grant = [](void *argument) {
        const auto &granted = *static_cast<ClaimFromElsewhere *>(argument);
        send_file_message(granted.process,
                          {FileMessageKind::Locked, granted.file.sharing.id, granted.asker,
                           reinterpret_cast<uint64_t>(&granted), 0, 0, 0});
    };
    other->file.ranges.ask(other->claim);
}

void unlock(uint64_t lock) {
    auto *other = reinterpret_cast<ClaimFromElsewhere *>(lock);
    OpenFile &file = other->file;
    file.ranges.release(other->claim);
    delete other;
    release(file);
}

void message_arrived(void *, const Arrival &arrival) {
    FileMessage message;
    CHECK(arrival.header_bytes == sizeof message);
    std::memcpy(&message, arrival.header, sizeof message);
    switch (message.kind) {
    case FileMessageKind::Advance: {
        OpenFile &file = kept_file(message.file);
        const Offset before = advance_here(file, message.first, message.end);
        send_file_message(arrival.source, {FileMessageKind::Advanced, message.file, message.asker,
                                           0, before, 0, 0});
        return release(file);
    }
    case FileMessageKind::Advanced: {
        auto &answer = *reinterpret_cast<PointerAnswer *>(message.asker);
        answer.position = message.first;
        return answer.done.complete();
    }
    case FileMessageKind::Lock:
        return lock_for(arrival.source, message);
    case FileMessageKind::Locked: {
        auto &claim = *reinterpret_cast<RangeLock::Claim *>(message.asker);
        claim.keepers_part = message.lock;
        return claim.grant();
    }
    case FileMessageKind::Unlock:
        return unlock(message.lock);
    case FileMessageKind::Stream:
        return stream_asked(message, arrival);
    case FileMessageKind::Streamed:
        return stream_answered(message, arrival);
    }
}

} // namespace

void send_file_message(int process, const FileMessage &message, const void *payload,
                       size_t payload_bytes) {
    iovec part{const_cast<void *>(payload), payload_bytes};
    (void)fabric_send(process, Channel::PointToPoint, MessageKind::File, &message, sizeof message,
                      &part, payload_bytes > 0);
}

OpenFile &kept_file(uint32_t id) {
    KeptFiles &files = kept_files();
    LockGuard guard(files.lock);
    auto found = files.by_id.find(id);
    CHECK(found != files.by_id.end(), "a message about file %08x, which is not kept here", id);
    retain(*found->second);
    return *found->second;
}

void begin_file_messages() {
    set_arrive_function(MessageKind::File, message_arrived);
}

bool is_keeper(const OpenFile &file) {
    return file.sharing.id == 0 || file.sharing.keeper == this_node_process();
}

void start_keeping(OpenFile &file) {
    KeptFiles &files = kept_files();
    LockGuard guard(files.lock);
    files.by_id[file.sharing.id] = &file;
}

void stop_keeping(const OpenFile &file) {
    if (file.sharing.id == 0 || !is_keeper(file))
        return;
    KeptFiles &files = kept_files();
    LockGuard guard(files.lock);
    files.by_id.erase(file.sharing.id);
}

Offset advance_shared_pointer(OpenFile &file, Offset etypes, Offset end) {
    if (is_keeper(file))
        return advance_here(file, etypes, end);
    PointerAnswer answer;
    send_file_message(file.sharing.keeper,
                      {FileMessageKind::Advance, file.sharing.id,
                       reinterpret_cast<uint64_t>(&answer), 0, etypes, end, 0});
    wait_blocked(answer.done, {.kind = Blockage::Kind::Requests, .request_count = 1});
    return answer.position;
}

void set_shared_pointer(OpenFile &file, Offset position) {
    LockGuard guard(file.pointer_lock);
    file.shared_pointer = position;
}

void ask_range(OpenFile &file, RangeLock::Claim &claim) {
    if (is_keeper(file))
        return file.ranges.ask(claim);
    send_file_message(file.sharing.keeper,
                      {FileMessageKind::Lock, file.sharing.id, reinterpret_cast<uint64_t>(&claim),
                       0, claim.first, claim.end, claim.exclusive});
}

void release_range(OpenFile &file, RangeLock::Claim &claim) {
    if (is_keeper(file))
        return file.ranges.release(claim);
    send_file_message(file.sharing.keeper,
                      {FileMessageKind::Unlock, file.sharing.id, 0, claim.keepers_part, 0, 0, 0});
}

} // namespace thrum
