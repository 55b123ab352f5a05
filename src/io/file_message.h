// The active messages between the keeper of a file (keeper.h) and other node processes: how they
// are sent, awaited and matched with the files that are kept here.
#pragma once
#include "base/list.h"
#include "fabric/fabric.h"
#include "io/open_file.h"

namespace thrum {

// To the keeper: Advance, Lock, Unlock, Stream. From it: Advanced, Locked, Streamed.
enum class FileMessageKind : uint32_t { Advance, Advanced, Lock, Locked, Unlock, Stream, Streamed };

// The header of each message. Unused fields are 0.
struct FileMessage {
    FileMessageKind kind;
    uint32_t file;  // FileSharing::id
    uint64_t asker; // address of the KeepersAnswer in the asking process
    uint64_t lock;  // Locked, Unlock: address of the claim in the keeper's process
    int64_t first;  // Advance: etypes; Advanced: old pointer; Lock: begin; Stream(ed): bytes
    int64_t end;    // Advance: limit of the pointer; Lock: end
    int32_t flag;   // Lock: exclusive; Stream: writing; Streamed: errno
};

static_assert(sizeof(FileMessage) <= header_bytes_max);

// What waits for an answer of a keeper. Exactly one of two things happens to it: the answer arrives
// (answered_by()), or the keeper is lost (end_without()).
struct KeepersAnswer {
    // Called when no answer will come, in an arrive function or in ask_keeper(). Must not wait.
    void (*end_without)(KeepersAnswer &answer) = nullptr;
    NodeProcess keeper; // set by ask_keeper()
    ListHook hook;      // in the list of all that are awaited
};

// Sends `message` to the keeper of the file. `answer` must live until it is answered or ended,
// which may happen before this returns.
void ask_keeper(const OpenFile &file, KeepersAnswer &answer, FileMessage message,
                const void *payload = nullptr, size_t payload_bytes = 0) MAY_SUSPEND;
// Returns what a message answers, and takes it out of the list of awaited answers.
KeepersAnswer &answered_by(const FileMessage &message);

// Sends a message to any process. The payload is copied or sent before this returns.
void send_file_message(NodeProcess process, const FileMessage &message,
                       const void *payload = nullptr, size_t payload_bytes = 0) MAY_SUSPEND;
// Returns the file that a message is about, in its keeper, with a new reference.
OpenFile &kept_file(uint32_t id);

// Copies the header of a message, which need not be aligned where it arrived.
FileMessage file_message_of(const Arrival &arrival);

// Makes the file known to other processes by file.sharing.id, until file.kept is reset. Called in
// the keeper before any other process learns the id.
void start_keeping(OpenFile &file);

// Installs the function that ends answers of lost processes. Called before anything is asked;
// idempotent.
void begin_file_messages();

} // namespace thrum
