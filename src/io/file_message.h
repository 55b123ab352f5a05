// The active messages between the keeper of a file (keeper.h) and other node processes: how they
// are sent, awaited and matched with the files that are kept here.
#pragma once
#include "base/list.h"
#include "fabric/fabric.h"
#include "io/open_file.h"

namespace thrum {

enum class FileMessageKind : uint32_t { Advance, Advanced, Lock, Locked, Unlock, Stream, Streamed };

struct FileMessage {
    FileMessageKind kind;
    uint32_t file;  // FileSharing::id
    uint64_t asker; // KeepersAnswer, in the asking process
    uint64_t lock;  // Locked, Unlock: the keeper's part of it
    int64_t first;  // Advance: etypes; Advanced: the pointer; Lock: a range; Stream(ed): bytes
    int64_t end;    // Advance: of the file; Lock
    int32_t flag;   // Lock: exclusive; Stream: writing; Streamed: errno
};

static_assert(sizeof(FileMessage) <= header_bytes_max);

// What waits for an answer of a keeper. It is told once: by the answer, or that the keeper is lost.
struct KeepersAnswer {
    // When the answer will not come; as an arrive function, or in ask_keeper().
    void (*end_without)(KeepersAnswer &answer) = nullptr;
    NodeProcess keeper;
    ListHook hook; // in the list of all that are awaited
};

// Sends `message`, in the name of `answer`, to the keeper of the file.
void ask_keeper(const OpenFile &file, KeepersAnswer &answer, FileMessage message,
                const void *payload = nullptr, size_t payload_bytes = 0) MAY_SUSPEND;
// What a message answers; it is not awaited any more.
KeepersAnswer &answered_by(const FileMessage &message);

void send_file_message(NodeProcess process, const FileMessage &message,
                       const void *payload = nullptr, size_t payload_bytes = 0) MAY_SUSPEND;
// The file that a message is about, in its keeper; with a reference.
OpenFile &kept_file(uint32_t id);

FileMessage file_message_of(const Arrival &arrival);

// From now on other processes find the file by file.sharing.id, while file.kept lives. Called in
// the keeper before they know the number.
void start_keeping(OpenFile &file);

// Ends what waits for answers of processes that are lost. Before anything is asked; idempotent.
void begin_file_messages();

} // namespace thrum
