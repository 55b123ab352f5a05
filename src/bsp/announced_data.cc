// The two ends of an announcement: the sender's Backup, and the receiver's AnnouncedMessage.
#include "bsp/announced_data.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace thrum::bsp {
namespace {

// The sender's copy: data that travel later. The payload follows it.
struct alignas(payload_alignment) Backup {
    RemoteMemory memory;

    char *data() { return reinterpret_cast<char *>(this + 1); }
};

// The receiver's message, and where its data are.
struct AnnouncedMessage {
    NodeProcess process{0};
    uint64_t backup = 0;
    RemoteMemory memory;
    Node *node = nullptr; // the receiver, while it fetches
    // followed by its tag, and by its payload if it stays
    alignas(payload_alignment) Message message;
};

// Returns what surrounds a message that is_announced.
AnnouncedMessage &announced(Message &message) {
    return *reinterpret_cast<AnnouncedMessage *>(reinterpret_cast<char *>(&message) -
                                                 offsetof(AnnouncedMessage, message));
}

// Runs when the data have been read. If `ok` is false, the process is lost, and the job will end.
void message_is_fetched(void *argument, bool ok) MAY_SUSPEND {
    auto &fetched = *static_cast<AnnouncedMessage *>(argument);
    if (!ok)
        return;
    send_done(fetched.process, PacketKind::Fetched, fetched.backup);
    change_outstanding(fetched.node->inbox(), -1); // the message may be freed after this
}

} // namespace

void announce(const Node &to, PacketHeader &header, const iovec &tag, Part payload) {
    auto *backup = new (allocate_message(sizeof(Backup) + payload.size_bytes)) Backup;
    std::memcpy(backup->data(), payload.data, payload.size_bytes);
    backup->memory = fabric_expose(backup->data(), payload.size_bytes);
    header.what = PacketKind::Announcement;
    header.origin = reinterpret_cast<uint64_t>(backup);
    header.memory_address = backup->memory.address;
    header.memory_key = backup->memory.key;
    send_packet(to.node_process, header, &tag, tag.iov_len > 0);
}

void free_announced_copy(uint64_t origin) {
    auto *backup = reinterpret_cast<Backup *>(origin);
    fabric_withdraw(backup->memory);
    std::free(backup);
}

Message &new_announced_message(NodeProcess process, const PacketHeader &header,
                               const Message &message, const char *tag, bool stays) {
    auto *own =
        new (allocate_message(sizeof(AnnouncedMessage) + padded(message.tag_bytes) +
                              (stays ? padded(message.payload_bytes) : 0))) AnnouncedMessage;
    own->process = process;
    own->backup = header.origin;
    own->memory = {header.memory_address, header.size_bytes, header.memory_key};
    own->message = message;
    if (message.tag_bytes)
        std::memcpy(own->message.tag(), tag, message.tag_bytes);
    return own->message;
}

void free_announced(Message *message) {
    std::free(&announced(*message));
}

void fetch_announced(Node &node, Message &message, char *into) {
    AnnouncedMessage &source = announced(message);
    source.node = &node;
    change_outstanding(node.inbox(), 1);
    fabric_read(source.process, source.memory, 0, into, message.payload_bytes, message_is_fetched,
                &source);
}

} // namespace thrum::bsp
