// Streams whose ranks are in several processes. Single accesses go to the keeper as messages of
// kind FileStream: the asker waits with an AskedStream, the keeper does a StreamForOther, whose end
// sends the answer. Ordered accesses go through the exchange of a collective call: every process
// sends its members' accesses to the keeper, which does all of them in the order of ranks.
#include "io/spanning_stream.h"

#include "base/check.h"
#include "io/file_decision.h"
#include "io/file_message.h"
#include "pt2pt/blocked.h"
#include "pt2pt/message_data.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace thrum {
namespace {

SourceData data_of(const Access &access) {
    const Span &span = access.span;
    return {span.buffer, span.count, span.datatype, span.size_bytes};
}

// Stores what the keeper has done for an access of this process, and copies read data into its
// buffer.
void take_result(StreamAccess &stream, size_t done_bytes, int error_number, const char *data) {
    Access &access = *stream.access;
    const Span &span = access.span;
    stream.done_bytes = done_bytes;
    access.result.error_number = error_number;
    if (access.writing)
        return;
    if (done_bytes > 0)
        unpack_bytes(data, 0, done_bytes, const_cast<void *>(span.buffer), span.count,
                     *span.datatype);
    if (done_bytes < span.size_bytes)
        access.result.end_of_file =
            file_position(*span.view, span.position + static_cast<Offset>(done_bytes));
}

// In the keeper: the access of a rank in another process. Owns a copy of the data.
struct StreamForOther {
    // Allocates at least one byte, so that null means: out of memory.
    StreamForOther(bool writing, size_t size_bytes, const void *data) {
        static View *const bytes = new_byte_view();
        access.writing = writing;
        access.converted = static_cast<char *>(std::malloc(size_bytes ? size_bytes : 1));
        CHECK(access.converted, "out of memory for %zu bytes of a file", size_bytes);
        if (writing && size_bytes > 0)
            std::memcpy(access.converted, data, size_bytes);
        access.span = {
            access.converted, static_cast<Count>(size_bytes), find_datatype(MPI_BYTE), bytes, 0,
            size_bytes};
        stream.access = &access;
    }

    size_t answer_bytes() const { return access.writing ? 0 : stream.done_bytes; }

    Access access;
    StreamAccess stream;
    OpenFile *file = nullptr; // with a reference; single accesses only
    NodeProcess process;
    uint64_t asker = 0; // address of the AskedStream, in its process
};

// Sends the result of a single access and frees it. Runs on the I/O thread.
void answer(void *argument) MAY_SUSPEND {
    std::unique_ptr<StreamForOther> other(static_cast<StreamForOther *>(argument));
    send_file_message(other->process,
                      {FileMessageKind::Streamed, other->file->sharing.id, other->asker, 0,
                       static_cast<int64_t>(other->stream.done_bytes), 0,
                       other->access.result.error_number},
                      other->access.converted, other->answer_bytes());
    release(*other->file);
}

// In the keeper: queues the access that a message asks for.
void stream_asked(const FileMessage &message, const Arrival &arrival) MAY_SUSPEND {
    auto *other =
        new StreamForOther(message.flag != 0, static_cast<size_t>(message.first), arrival.payload);
    other->file = &kept_file(message.file);
    other->process = arrival.source;
    other->asker = message.asker;
    other->stream.on_done = answer;
    other->stream.argument = other;
    queue_stream_accesses(*other->file, other->stream);
}

// In another process than the keeper: an access that waits for its answer. Frees itself.
struct AskedStream : KeepersAnswer {
    explicit AskedStream(StreamAccess &of) : stream(of) { end_without = end_undone; }

    static void end_undone(KeepersAnswer &answer) {
        std::unique_ptr<AskedStream> asked(static_cast<AskedStream *>(&answer));
        StreamAccess &stream = asked->stream;
        stream.access->result.error_number = keeper_is_lost;
        stream.on_done(stream.argument);
    }

    StreamAccess &stream;
};

void stream_answered(const FileMessage &message, const Arrival &arrival) {
    std::unique_ptr<AskedStream> asked(static_cast<AskedStream *>(&answered_by(message)));
    StreamAccess &stream = asked->stream;
    take_result(stream, static_cast<size_t>(message.first), message.flag,
                static_cast<const char *>(arrival.payload));
    stream.on_done(stream.argument);
}

void message_arrived(void *, const Arrival &arrival) MAY_SUSPEND {
    const FileMessage message = file_message_of(arrival);
    if (message.kind == FileMessageKind::Stream)
        return stream_asked(message, arrival);
    CHECK(message.kind == FileMessageKind::Streamed);
    stream_answered(message, arrival);
}

// Asks the keeper for each access of the list. Messages of one process arrive in order, so the
// accesses stay in order, too.
void ask_for_stream_accesses(OpenFile &file, StreamAccess &first) MAY_SUSPEND {
    for (StreamAccess *stream = &first; stream;) {
        StreamAccess *next = stream->next; // an answer may free the access at once
        const Access &access = *stream->access;
        std::unique_ptr<char[]> packed;
        if (access.writing) {
            packed.reset(new char[access.span.size_bytes + 1]);
            pack_all(data_of(access), packed.get());
        }
        const size_t size_bytes = access.span.size_bytes;
        ask_keeper(file, *new AskedStream(*stream),
                   {FileMessageKind::Stream, file.sharing.id, 0, 0,
                    static_cast<int64_t>(size_bytes), 0, access.writing},
                   packed.get(), packed ? size_bytes : 0);
        stream = next;
    }
}

} // namespace

void begin_stream_messages() {
    set_arrive_function(MessageKind::FileStream, message_arrived);
}

void start_stream_accesses(OpenFile &file, StreamAccess &first) {
    if (is_keeper(file))
        queue_stream_accesses(file, first);
    else
        ask_for_stream_accesses(file, first);
}

namespace {

// In another process than the keeper: sends the members' accesses and takes the results, both in
// one packet, in the order of local members.
Flow go_by_keeper(AccessJoint &joint, const std::vector<StreamAccess *> &streams) MAY_SUSPEND {
    ByteWriter to;
    for (const StreamAccess *stream : streams) {
        to.number(stream != nullptr);
        if (!stream)
            continue;
        std::string data;
        if (stream->access->writing) {
            data.resize(stream->access->span.size_bytes);
            pack_all(data_of(*stream->access), data.data());
        }
        to.number(stream->access->span.size_bytes);
        to.text(data);
    }
    joint.requests.exchange.send(0, packet_of(to));
    const SharedBytes packet = co_await joint.requests.exchange.receive(0);
    ByteReader from(packet.data());
    for (StreamAccess *stream : streams) {
        if (!stream)
            continue;
        const auto done_bytes = from.number<size_t>();
        const int error_number = from.number<int>();
        const std::string data = from.text();
        take_result(*stream, done_bytes, error_number, data.data());
    }
}

// Queues all accesses as one list and waits for the last; they are done in order. The caller is a
// task, as ordered accesses are blocking.
void stream_all(OpenFile &file, const std::vector<StreamAccess *> &streams) MAY_SUSPEND {
    if (streams.empty())
        return;
    Completion done; // with the last one
    for (size_t i = 0; i < streams.size(); ++i) {
        const bool is_last = i + 1 == streams.size();
        streams[i]->next = is_last ? nullptr : streams[i + 1];
        streams[i]->argument = is_last ? &done : nullptr;
        streams[i]->on_done = [](void *argument) {
            if (argument)
                static_cast<Completion *>(argument)->complete();
        };
    }
    queue_stream_accesses(file, *streams.front());
    wait_blocked(done, {.kind = Blockage::Kind::Requests, .request_count = 1});
}

// In the keeper: receives the accesses of all processes, does them in the order of ranks, and
// answers. The ranks of a process are in order in its packet, so one pass over the ranks of the
// file puts all in order.
Flow go_as_keeper(AccessJoint &joint, SpanningAccess &access,
                  const std::vector<StreamAccess *> &streams) MAY_SUSPEND {
    const ProcessMap &span = joint.requests.span;
    std::vector<ByteReader> readers;
    std::vector<SharedBytes> packets;
    for (int index = 0; index < span.count(); ++index) {
        SharedBytes packet = SharedBytes::of_size(0);
        if (index != span.here)
            packet = co_await joint.requests.exchange.receive(index);
        readers.emplace_back(packet.data());
        packets.push_back(std::move(packet));
    }
    std::vector<std::unique_ptr<StreamForOther>> others;
    std::vector<std::vector<StreamForOther *>> of_process(packets.size());
    std::vector<StreamAccess *> all;
    size_t local = 0;
    for (int index : span.index_of) {
        if (index == span.here) {
            if (StreamAccess *stream = streams[local++])
                all.push_back(stream);
            continue;
        }
        ByteReader &from = readers[static_cast<size_t>(index)];
        if (!from.number<bool>())
            continue;
        const auto size_bytes = from.number<size_t>();
        const std::string data = from.text();
        others.emplace_back(new StreamForOther(access.writing, size_bytes, data.data()));
        of_process[static_cast<size_t>(index)].push_back(others.back().get());
        all.push_back(&others.back()->stream);
    }
    stream_all(access.file, all);
    for (int index = 0; index < span.count(); ++index) {
        if (index == span.here)
            continue;
        ByteWriter to;
        for (const StreamForOther *other : of_process[static_cast<size_t>(index)]) {
            to.number(other->stream.done_bytes);
            to.number(other->access.result.error_number);
            to.text(std::string(other->access.converted, other->answer_bytes()));
        }
        joint.requests.exchange.send(index, packet_of(to));
    }
}

} // namespace

// First a header is exchanged (file_decision.h), so that a process whose ranks do something else
// gets an error instead of a packet that it cannot read.
Flow stream_across_processes(AccessJoint &joint, SpanningAccess &access,
                             const std::vector<StreamAccess *> &streams) {
    ByteWriter mine;
    write_call(mine, access.collective, access.fault);
    std::vector<SharedBytes> packets;
    co_await collect_packets(joint.requests, packet_of(mine), packets);
    std::vector<ByteReader> readers;
    for (const SharedBytes &packet : packets)
        readers.emplace_back(packet.data());
    access.fault = read_calls(readers);
    if (access.fault)
        co_return;
    if (joint.requests.span.here == 0)
        co_await go_as_keeper(joint, access, streams);
    else
        co_await go_by_keeper(joint, streams);
}

} // namespace thrum
