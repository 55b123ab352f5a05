#include "pt2pt/type_check.h"

#include "base/check.h"
#include "comm/call_names.h"
#include "comm/warned_lines.h"
#include "pt2pt/request_places.h"

#include <algorithm>

namespace thrum {
namespace {

// What the receiver reports.
struct TypeDifference {
    TypeMismatch mismatch; // without a text if the message is only too long
    size_t size_bytes;     // of the message
};

constexpr size_t mark_bit = size_t{1} << 63;

size_t mark_of(TypeMismatch mismatch, size_t size_bytes) {
    auto *difference = new TypeDifference{std::move(mismatch), size_bytes};
    return reinterpret_cast<size_t>(difference) | mark_bit;
}

// Names the message: by its tag, too, if nothing else tells which of the sender's calls it is.
std::string name_of(const Envelope &envelope, bool with_tag) {
    const std::string rank = "the message from rank " + std::to_string(envelope.source);
    return with_tag ? rank + " with tag " + std::to_string(envelope.tag) : rank;
}

TypedBytes room_of(const ReceiveRequest &receive) {
    return {receive.datatype, data_bytes(receive.count, *receive.datatype)};
}

} // namespace

size_t compared_size(const ReceiveRequest &receive, const SentMessage &message) {
    const TypedBytes room = room_of(receive), sent{message.type, message.size_bytes};
    TypeMismatch mismatch{{}, message.sender, {}};
    if (sent.bytes > room.bytes)
        return message.sender.call_site ? mark_of(std::move(mismatch), sent.bytes) : sent.bytes;
    if (!message.type || types_are_accepted(sent, room))
        return sent.bytes;
    mismatch.text = mismatch_text(name_of(message.envelope, !message.sender.call_site), sent,
                                  "the receive", room);
    return mark_of(std::move(mismatch), sent.bytes);
}

Error take_difference(Request &receive, std::string &sender) {
    auto *difference = reinterpret_cast<TypeDifference *>(receive.size_bytes & ~mark_bit);
    receive.size_bytes = difference->size_bytes;
    Error error;
    if (difference->mismatch.text.empty()) {
        sender = sender_text(difference->mismatch.sender);
    } else {
        if (receive.place)
            difference->mismatch.receiver = request_place(*current_rank().process, receive.place);
        error = judge_mismatch(difference->mismatch);
    }
    delete difference;
    return error;
}

// With `--check`, too, it is a warning: no call is left to return the error.
void judge_freed(Request &request, const CallPlace &receiver) {
    if (request.kind == RequestKind::Pair)
        return judge_freed(*static_cast<PairRequest &>(request).receive, receiver);
    if (request.kind != RequestKind::Receive || !marks_difference(request.size_bytes)) [[likely]]
        return;
    auto *difference = reinterpret_cast<TypeDifference *>(request.size_bytes & ~mark_bit);
    request.size_bytes = difference->size_bytes;
    const TypeMismatch &mismatch = difference->mismatch;
    const std::string text = mismatch.text.empty()
                                 ? "the message from rank " + std::to_string(request.source) +
                                       " has " + std::to_string(request.size_bytes) +
                                       " bytes, but the receive buffer has room for " +
                                       std::to_string(data_bytes(request.count, *request.datatype))
                                 : mismatch.text;
    if (is_first_warning(PairMistake::Types, mismatch.sender, receiver))
        report("warning: rank %d: %s: %s%s (received at %s, by a request that was freed)",
               current_rank().world_rank, name_of_call(receiver).c_str(), text.c_str(),
               sender_text(mismatch.sender).c_str(), site_of_call(receiver).c_str());
    delete difference;
}

size_t compared_remote_size(const ReceiveRequest &receive, const Envelope &envelope,
                            const RemoteTypes &types, size_t size_bytes) {
    if (types.number == RemoteTypes::unknown || type_check() == TypeCheck::Off)
        return size_bytes;
    if (types.number != RemoteTypes::several) {
        const Datatype &basic = basic_of_number(types.number);
        return surely_accepts(receive, &basic, size_bytes)
                   ? size_bytes
                   : compared_size(receive, {envelope, &basic, size_bytes, {}});
    }
    const TypedBytes room = room_of(receive);
    if (size_bytes > room.bytes || remote_types_match(types, size_bytes, room))
        return size_bytes;
    return mark_of(
        {remote_mismatch_text(name_of(envelope, true), types, size_bytes, "the receive", room),
         {},
         {}},
        size_bytes);
}

} // namespace thrum
