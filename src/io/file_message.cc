// Messages to and from the keeper of a file. Two tables of the process match them: the files that
// are kept here, by id, and the answers that this process awaits. An answer carries the address of
// what awaits it (FileMessage::asker), so finding it needs no search; the list of answers is only
// for the loss of a keeper.
#include "io/file_message.h"

#include "base/check.h"
#include "pt2pt/lost.h"

#include <cstring>
#include <unordered_map>
#include <vector>

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

struct AwaitedAnswers {
    SpinLock lock; // guards the list
    List<KeepersAnswer, &KeepersAnswer::hook> list;
};

AwaitedAnswers &awaited_answers() {
    static auto *answers = new AwaitedAnswers; // never destroyed, as the kept files
    return *answers;
}

// Ends all answers that this process awaits from `process`, which is lost. They are taken out of
// the list first and ended without the lock, since end_without() may wake ranks or free the answer.
void end_answers_of(NodeProcess process) {
    std::vector<KeepersAnswer *> missed;
    {
        AwaitedAnswers &awaited = awaited_answers();
        LockGuard guard(awaited.lock);
        for (KeepersAnswer *answer = awaited.list.front(); answer;) {
            KeepersAnswer *next = awaited.list.next(*answer);
            if (answer->keeper == process) {
                answer->hook.unlink();
                missed.push_back(answer);
            }
            answer = next;
        }
    }
    for (KeepersAnswer *answer : missed)
        answer->end_without(*answer);
}

// Messages about streams have a kind of their own, since another file takes them
// (spanning_stream.cc).
MessageKind kind_of(const FileMessage &message) {
    return message.kind == FileMessageKind::Stream || message.kind == FileMessageKind::Streamed
               ? MessageKind::FileStream
               : MessageKind::File;
}

} // namespace

// The entry of a file in the table, from start_keeping() to the release of the OpenFile.
struct KeptFile {
    explicit KeptFile(OpenFile &file) : id(file.sharing.id) {
        LockGuard guard(kept_files().lock);
        kept_files().by_id[id] = &file;
    }

    ~KeptFile() {
        LockGuard guard(kept_files().lock);
        kept_files().by_id.erase(id);
    }

    KeptFile(const KeptFile &) = delete;
    KeptFile &operator=(const KeptFile &) = delete;

    uint32_t id;
};

// A failed send needs no action: the loss of the process is reported to end_answers_of().
void send_file_message(NodeProcess process, const FileMessage &message, const void *payload,
                       size_t payload_bytes) {
    iovec part{const_cast<void *>(payload), payload_bytes};
    (void)fabric_send(process, Channel::PointToPoint, kind_of(message), &message, sizeof message,
                      &part, payload_bytes > 0);
}

// The answer is in the list before a loss of the keeper is looked for, so one of the two is
// noticed.
void ask_keeper(const OpenFile &file, KeepersAnswer &answer, FileMessage message,
                const void *payload, size_t payload_bytes) {
    const NodeProcess keeper = file.sharing.keeper;
    bool lost;
    {
        LockGuard guard(awaited_answers().lock);
        lost = is_lost_process(keeper); // if not yet, end_answers_of() finds the answer
        answer.keeper = keeper;
        if (!lost)
            awaited_answers().list.push_back(answer);
    }
    if (lost)
        return answer.end_without(answer);
    // The answer may arrive, and `answer` be gone, before the next line returns.
    message.asker = reinterpret_cast<uint64_t>(&answer);
    send_file_message(keeper, message, payload, payload_bytes);
}

KeepersAnswer &answered_by(const FileMessage &message) {
    auto &answer = *reinterpret_cast<KeepersAnswer *>(message.asker);
    LockGuard guard(awaited_answers().lock);
    answer.hook.unlink();
    return answer;
}

OpenFile &kept_file(uint32_t id) {
    KeptFiles &files = kept_files();
    LockGuard guard(files.lock);
    auto found = files.by_id.find(id);
    CHECK(found != files.by_id.end(), "a message about file %08x, which this process does not own",
          id);
    retain(*found->second);
    return *found->second;
}

FileMessage file_message_of(const Arrival &arrival) {
    FileMessage message;
    CHECK(arrival.header_bytes == sizeof message);
    std::memcpy(&message, arrival.header, sizeof message);
    return message;
}

void start_keeping(OpenFile &file) {
    file.kept = std::make_shared<KeptFile>(file);
}

void begin_file_messages() {
    when_process_is_lost(end_answers_of);
}

} // namespace thrum
