// An attached buffer holds the packed data of messages, and nothing else: the receiver copies from
// there as from any rendezvous send. The description of a message, its entry, has memory of its
// own. So a message takes as many bytes of the buffer as it has, whatever MPI_BSEND_OVERHEAD
// promises.
//
// Invariants (guarded by AttachedBuffer::lock)
// 1. Entries are linked in the order of the addresses of their data, which do not overlap.
// 2. An entry exists from the send to the delivery of its message.
// 3. The user's memory is used until the last message in it has been delivered, even if its
//    communicator has been freed before: the standard lets pending operations complete, and
//    MPI_Comm_free does not wait (MPI_Comm_disconnect does).
// 4. flush.missing counts the entries whose sequence is at most flush.last_sequence.
#include "pt2pt/buffered.h"

#include "base/settings.h"
#include "comm/process.h"
#include "comm/session.h"
#include "pt2pt/blocked.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/type_check.h"

#include <cstdlib>
#include <new>

namespace thrum {
namespace {

// A message in the buffer. Its SendRequest part is the envelope in the receiver's queue.
struct Entry : SendRequest {
    Entry *next_entry = nullptr;
    Entry *previous_entry = nullptr;
    uint64_t sequence = 0; // number of the send in this buffer, from 1
    char *data = nullptr;  // in the attached buffer, or from malloc with MPI_BUFFER_AUTOMATIC
    char *end = nullptr;   // behind the data
};

} // namespace

struct AttachedBuffer {
    SpinLock lock;
    char *memory = nullptr;
    size_t size_bytes = 0;
    bool automatic = false; // MPI_BUFFER_AUTOMATIC: memory from malloc
    Entry *first = nullptr;
    Entry *last = nullptr;
    uint64_t last_sequence = 0;
    Entry *spare = nullptr; // linked by next_entry, spare_count of them
    int spare_count = 0;
    FlushRequest *flushes = nullptr;
    bool orphaned = false; // its communicator is freed: the delivery of the last message frees it
};

namespace {

// Finds room for `size_bytes` of data: behind the last entry, otherwise in the first gap that is
// large enough. Returns nullptr if there is none. Sets `previous` to the entry before that place.
char *find_room(const AttachedBuffer &attached, size_t size_bytes, Entry *&previous) {
    auto fits = [&](Entry *before, char *limit) {
        char *start = before ? before->end : attached.memory;
        previous = before;
        return size_bytes <= static_cast<size_t>(limit - start) ? start : nullptr;
    };
    if (char *start = fits(attached.last, attached.memory + attached.size_bytes))
        return start;
    for (Entry *entry = attached.first, *before = nullptr; entry;
         before = entry, entry = entry->next_entry)
        if (char *start = fits(before, entry->data))
            return start;
    return nullptr;
}

// Entries are used again, so that a buffered send usually allocates nothing.
constexpr int spare_count_max = 64;

Entry *take_entry(AttachedBuffer &attached) {
    Entry *spare = attached.spare;
    if (!spare)
        return new Entry;
    attached.spare = spare->next_entry;
    --attached.spare_count;
    spare->~Entry();
    return new (spare) Entry;
}

// The caller holds the lock.
void give_entry_back(AttachedBuffer &attached, Entry &entry) {
    if (attached.spare_count == spare_count_max) {
        delete &entry;
        return;
    }
    entry.next_entry = attached.spare;
    attached.spare = &entry;
    ++attached.spare_count;
}

// Frees the buffer's description. The user's memory stays the user's.
void delete_buffer(AttachedBuffer &attached) {
    while (Entry *spare = attached.spare) {
        attached.spare = spare->next_entry;
        delete spare;
    }
    delete &attached;
}

void link_behind(AttachedBuffer &attached, Entry *previous, Entry &entry) {
    entry.previous_entry = previous;
    entry.next_entry = previous ? previous->next_entry : attached.first;
    (previous ? previous->next_entry : attached.first) = &entry;
    (entry.next_entry ? entry.next_entry->previous_entry : attached.last) = &entry;
}

void unlink(AttachedBuffer &attached, Entry &entry) {
    (entry.previous_entry ? entry.previous_entry->next_entry : attached.first) = entry.next_entry;
    (entry.next_entry ? entry.next_entry->previous_entry : attached.last) = entry.previous_entry;
}

// Runs when the owner is freed. Messages in the buffer keep it alive.
void orphan_buffer(AttachedBuffer *attached) {
    attached->lock.lock();
    attached->orphaned = true;
    const bool empty = !attached->first;
    attached->lock.unlock(); // otherwise, the delivery of the last message may free it from here on
    if (empty)
        delete_buffer(*attached);
}

const Extension<Process, AttachedBuffer, orphan_buffer> buffers_of_processes;
const Extension<Session, AttachedBuffer, orphan_buffer> buffers_of_sessions;
const Extension<Communicator, AttachedBuffer, orphan_buffer> buffers_of_communicators;

// Returns the buffer for messages on `comm` (section 3.6): the communicator's, or that of the
// session that it was derived from, or the process's. Returns nullptr if there is none.
AttachedBuffer *buffer_for(const Communicator &comm) {
    AttachedBuffer *found = buffer_of(comm).get();
    if (!found && comm.session)
        found = buffer_of(*comm.session).get();
    return found ? found : buffer_of(*comm.process).get();
}

// Returns how many bytes a message may take beside its data: --check counts what a program must
// provide for.
size_t overhead_bytes() {
    return settings().is_strict() ? MPI_BSEND_OVERHEAD : 0;
}

// Makes an entry with room for the data, and numbers it. Returns nullptr if there is no room.
Entry *reserve(AttachedBuffer &attached, size_t size_bytes) {
    LockGuard guard(attached.lock);
    Entry *previous = attached.last;
    char *room = attached.automatic ? static_cast<char *>(std::malloc(size_bytes ? size_bytes : 1))
                                    : find_room(attached, size_bytes + overhead_bytes(), previous);
    if (!room)
        return nullptr;
    Entry *entry = take_entry(attached);
    entry->sequence = ++attached.last_sequence;
    entry->data = room;
    entry->end = room + size_bytes + (attached.automatic ? 0 : overhead_bytes());
    link_behind(attached, previous, *entry);
    return entry;
}

// Counts the present entries into `flush`, and puts it on the list if there are any. Returns their
// number.
size_t start_flush(AttachedBuffer *attached, FlushRequest &flush) {
    if (!attached)
        return 0;
    LockGuard guard(attached->lock);
    size_t present = 0;
    for (Entry *entry = attached->first; entry; entry = entry->next_entry)
        ++present;
    if (present > 0) {
        flush.last_sequence = attached->last_sequence;
        flush.missing = present;
        flush.next = attached->flushes;
        attached->flushes = &flush;
    }
    return present;
}

[[gnu::cold]] Error no_room(const AttachedBuffer *attached, size_t size_bytes) {
    if (!attached)
        return fail(MPI_ERR_BUFFER,
                    "a buffered send of %zu bytes, but no buffer is attached (MPI_Buffer_attach)",
                    size_bytes);
    return fail(MPI_ERR_BUFFER,
                "no room for a buffered send of %zu bytes in the attached buffer of %zu bytes; a "
                "buffer needs space for all messages in it, plus MPI_BSEND_OVERHEAD (%d) for each",
                size_bytes, attached->size_bytes, MPI_BSEND_OVERHEAD);
}

} // namespace

BufferPlace buffer_of(const Process &process) {
    return buffers_of_processes.of(process);
}

BufferPlace buffer_of(const Session &session) {
    return buffers_of_sessions.of(session);
}

BufferPlace buffer_of(const Communicator &comm) {
    return buffers_of_communicators.of(comm);
}

Error copy_to_attached_buffer(const Outgoing &out, Mailbox &receiver, Communicator &comm,
                              SendRequest *&request) {
    AttachedBuffer *attached = buffer_for(comm);
    Entry *entry = attached ? reserve(*attached, out.data.size_bytes) : nullptr;
    if (!entry)
        return no_room(attached, out.data.size_bytes);
    pack_all(out.data, entry->data);
    entry->kind = RequestKind::Send;
    entry->buffer = entry->data;
    entry->packed = true;
    entry->datatype = keep_type(out.data.datatype);
    entry->size_bytes = out.data.size_bytes;
    entry->message.envelope = out.envelope;
    entry->mailbox = &receiver;
    entry->mode = SendMode::Buffered;
    entry->attached = attached;
    request = entry;
    return success;
}

void complete_attached_send(SendRequest &send) {
    auto &entry = static_cast<Entry &>(send);
    AttachedBuffer &attached = *entry.attached;
    FlushRequest *complete = nullptr;
    attached.lock.lock();
    unlink(attached, entry);
    for (FlushRequest **link = &attached.flushes; FlushRequest *flush = *link;) {
        if (entry.sequence <= flush->last_sequence && --flush->missing == 0) {
            *link = flush->next;
            flush->next = complete;
            complete = flush;
        } else {
            link = &flush->next;
        }
    }
    if (attached.automatic)
        std::free(entry.data);
    const Datatype *type = entry.datatype;
    give_entry_back(attached, entry);
    const bool is_last = attached.orphaned && !attached.first;
    attached.lock.unlock(); // after this, a detach that waits for a flush may free the buffer
    drop_type(type);
    if (is_last)
        delete_buffer(attached);
    while (FlushRequest *flush = complete) {
        complete = flush->next;
        flush->completion.complete();
    }
}

// A message that is received at once needs no room. So a buffer that is missing, or too small for
// the message alone, would show only when the receiver is late.
Error check_attached_buffer(const Communicator &comm, size_t size_bytes) {
    const AttachedBuffer *attached = buffer_for(comm);
    return attached &&
                   (attached->automatic || size_bytes + overhead_bytes() <= attached->size_bytes)
               ? success
               : no_room(attached, size_bytes);
}

Error attach_buffer(BufferPlace place, void *buffer, Count size_bytes) {
    if (const AttachedBuffer *attached = place.get())
        return fail(MPI_ERR_BUFFER,
                    "a buffer of %zu bytes is already attached (call MPI_Buffer_detach first)",
                    attached->size_bytes);
    auto *attached = new AttachedBuffer;
    attached->automatic = buffer == MPI_BUFFER_AUTOMATIC;
    attached->memory = static_cast<char *>(buffer);
    attached->size_bytes = attached->automatic ? 0 : static_cast<size_t>(size_bytes);
    place.set(attached);
    return success;
}

Error detach_buffer(BufferPlace place, void **buffer, Count *size_bytes) {
    const AttachedBuffer *attached = place.get();
    if (!attached)
        return fail(MPI_ERR_BUFFER, "no buffer is attached");
    *buffer = attached->memory;
    *size_bytes = static_cast<Count>(attached->size_bytes);
    finish_buffer(place);
    return success;
}

void finish_buffer(BufferPlace place) {
    if (!place.get())
        return;
    flush_buffer(place);
    delete_buffer(*place.take());
}

void flush_buffer(BufferPlace place) {
    FlushRequest flush;
    if (size_t present = start_flush(place.get(), flush))
        wait_blocked(flush.completion, {.kind = Blockage::Kind::Requests,
                                        .request_count = static_cast<int>(present)});
}

void iflush_buffer(BufferPlace place, MPI_Request *request) {
    FlushRequest *flush = new_flush_request();
    *request = flush;
    if (start_flush(place.get(), *flush) == 0)
        flush->completion.set_done();
}

} // namespace thrum
