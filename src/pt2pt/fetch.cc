// Reads of a sender's memory. The fetch goes on in the thread that learns that a piece has been
// read; no task waits for it.
#include "pt2pt/fetch.h"

#include "pt2pt/control_message.h"
#include "pt2pt/envelope_message.h"
#include "pt2pt/lost.h"
#include "pt2pt/message_data.h"
#include "pt2pt/message_record.h"
#include "pt2pt/packet_queue.h"
#include "trace/recorder.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace thrum {
namespace {

constexpr size_t fetched_piece_bytes = 256 << 10; // one temporary buffer per fetch

// Reads the data of a rendezvous: at once into a buffer without gaps, otherwise piece by piece.
struct Fetch {
    NodeProcess source;
    uint64_t sender;
    RemoteMemory memory;
    ReceiveRequest *request;
    size_t size_bytes; // to be read
    size_t offset = 0;
    size_t piece_bytes = 0;
    void *piece = nullptr; // temporary, for a receive buffer with gaps
    // A read may be done before fabric_read() returns. The second of the two events continues the
    // fetch, so that it neither stops nor recurses once per piece.
    std::atomic<int> steps{0};

    // acq_rel [fetch-1]: the second sees what the first has done.
    bool second_step() { return steps.fetch_add(1, std::memory_order_acq_rel) == 1; }
};

// Marks the request as failed because `process` is lost; lost.h says how.
void lose_data(ReceiveRequest &request, NodeProcess process) {
    if (!request.datatype) {
        auto &packet = static_cast<PacketReceive &>(request);
        packet.fault = {MPI_ERR_PROC_ABORTED, lost_process_sentence(process)};
        packet.buffer = nullptr;
        return;
    }
    request.size_bytes = lost_message_bytes;
    request.tag = process.number();
}

// Completes the request last: afterwards it may be freed.
void finish(Fetch &fetch) MAY_SUSPEND {
    answer_done(fetch.source, fetch.sender);
    std::free(fetch.piece);
    ReceiveRequest &request = *fetch.request;
    delete &fetch;
    if (somebody_listens()) [[unlikely]]
        record_remote_end(request);
    request.completion.complete();
}

void run(Fetch &fetch) MAY_SUSPEND;

// Makes the fetch end at its next step: the sender is lost, and its memory with it.
void note_lost_data(Fetch &fetch) {
    ReceiveRequest &request = *fetch.request;
    if (!request.datatype)
        std::free(request.buffer);
    fetch.offset = fetch.size_bytes;
    fetch.piece_bytes = 0;
    lose_data(request, fetch.source);
}

// Runs when a read has ended; `ok` is false if the sender is lost.
void piece_is_there(void *argument, bool ok) MAY_SUSPEND {
    auto &fetch = *static_cast<Fetch *>(argument);
    if (!ok)
        note_lost_data(fetch);
    if (fetch.second_step())
        run(fetch);
}

// Continues behind the piece at `offset`, which has been read unless piece_bytes is 0. Returns when
// nothing is left, or when a read has not ended yet.
void run(Fetch &fetch) {
    for (;;) {
        ReceiveRequest &request = *fetch.request;
        if (fetch.piece && fetch.piece_bytes > 0)
            unpack_bytes(fetch.piece, fetch.offset, fetch.piece_bytes, request.buffer,
                         request.count, *request.datatype);
        fetch.offset += fetch.piece_bytes;
        if (fetch.offset == fetch.size_bytes)
            return finish(fetch);
        const size_t left = fetch.size_bytes - fetch.offset;
        fetch.piece_bytes = fetch.piece ? std::min(left, fetched_piece_bytes) : left;
        void *into = fetch.piece ? fetch.piece : request.buffer;
        fetch.steps.store(0, std::memory_order_relaxed);
        fabric_read(fetch.source, fetch.memory, fetch.offset, into, fetch.piece_bytes,
                    piece_is_there, &fetch);
        if (!fetch.second_step())
            return; // piece_is_there() continues
    }
}

// Returns how many bytes the receive takes; the rest of a message that is too long is not read.
size_t room_of(const ReceiveRequest &request, size_t size_bytes) {
    return request.datatype ? std::min(size_bytes, data_bytes(request.count, *request.datatype))
                            : size_bytes; // a packet, whose memory is allocated to fit
}

} // namespace

void answer_done(NodeProcess source, uint64_t sender) {
    if (sender)
        send_control(source, {Control::Done, 0, sender, 0});
}

void start_fetch(NodeProcess source, uint64_t sender, const RemoteMemory &memory,
                 ReceiveRequest &request, size_t size_bytes) {
    auto *fetch = new Fetch{source, sender, memory, &request, room_of(request, size_bytes)};
    if (!request.datatype)
        request.buffer = allocate_for_message(size_bytes);
    else if (!request.datatype->contiguous)
        fetch->piece = allocate_for_message(std::min(fetch->size_bytes, fetched_piece_bytes));
    run(*fetch);
}

void take_data(ReceiveRequest &request, void *data, size_t size_bytes, bool owned) {
    if (request.datatype) {
        transfer({data, 0, nullptr, size_bytes, true}, request.buffer, request.count,
                 *request.datatype);
    } else if (owned) {
        request.buffer = data;
        return;
    } else {
        request.buffer = allocate_for_message(size_bytes);
        if (size_bytes > 0)
            std::memcpy(request.buffer, data, size_bytes);
    }
    if (owned)
        std::free(data);
}

} // namespace thrum
