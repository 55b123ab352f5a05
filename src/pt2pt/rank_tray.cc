#include "pt2pt/rank_tray.h"

#include "check/held_sends.h"
#include "fiber/choice.h"
#include "fiber/task_tray.h"
#include "pt2pt/message_record.h"
#include "pt2pt/probers.h"
#include "pt2pt/type_check.h"
#include "record/outcomes.h"

#include <new>

namespace thrum {
namespace {

// Receives that have been matched under the lock, and are completed without it.
class Matched {
public:
    bool is_full() const { return count_ == room; }

    bool empty() const { return count_ == 0; }

    void add(ReceiveRequest &request) { requests_[count_++] = &request; }

    void complete() {
        for (int i = 0; i < count_; ++i)
            requests_[i]->completion.complete();
    }

private:
    static constexpr int room = 16;
    int count_ = 0;
    ReceiveRequest *requests_[room];
};

class RankTray final : public Tray, public TaskTray {
public:
    RankTray(Mailbox &mailbox, Rank &rank) : Tray(mailbox), rank_(rank) {}

    bool look() override;
    void close() override;
    void settle() override;
    bool receive_unlock(ReceiveRequest &request);
    void ask_to_open();

private:
    // A tray that was of no use is opened only when it is asked for twice as often, until this.
    static constexpr unsigned asks_max = 1024;
    static constexpr uint64_t useful = 64; // messages

    void take_in_next(Matched &matched);
    void take_in_complete();
    void take_in_claimed(uint64_t end);
    void complete_and_lock(Matched &matched);
    void close_locked();

    // Returns whether senders have to wait as in rendezvous, which they learn under the lock.
    bool mailbox_is_full() const {
        return mailbox().buffered_bytes >= mailbox().buffered_bytes_max;
    }

    Rank &rank_;
    uint64_t taken_before_ = 0; // messages, when it was opened
    // How often it has been asked for since it was closed, and how often it must be.
    unsigned asks_ = 0, asks_wanted_ = 1;
};

void write_result(ReceiveRequest &request, const TinyMessage &message) {
    const Envelope &envelope = message.envelope;
    request.source = envelope.source;
    request.tag = envelope.tag;
    size_t copied_bytes = request.size_bytes = message.size_bytes;
    if (!surely_accepts(request, message.type, copied_bytes)) [[unlikely]] {
        const CallPlace sender{message.sender_function, message.call_site};
        request.size_bytes = compared_size(request, {envelope, message.type, copied_bytes, sender});
        copied_bytes = fitting_bytes(request, copied_bytes);
    }
    const SourceData packed{message.payload, 0, nullptr, message.size_bytes, true};
    transfer_bytes(packed, copied_bytes, request.buffer, request.count, *request.datatype);
}

void queue(const TinyMessage &tiny, Mailbox &mailbox) {
    auto *message = new (mailbox.messages.take()) UnexpectedMessage;
    message->envelope = tiny.envelope;
    message->size_bytes = tiny.size_bytes;
    message->type = tiny.type;
    message->sender_function = tiny.sender_function;
    message->call_site = tiny.call_site;
    std::memcpy(message->payload, tiny.payload, sizeof tiny.payload);
    mailbox.buffered_bytes += buffered_bytes_of(*message);
    mailbox.unexpected.insert(*message);
    if (somebody_listens()) [[unlikely]]
        record_remote_unexpected(*message, mailbox);
    if (mailbox.probers)
        wake_probers(mailbox, tiny.envelope);
}

// Takes the next message, which is complete, out of the ring. The caller holds the lock. A tool
// that listens by now, and did not when the message was left, learns that it has arrived.
void RankTray::take_in_next(Matched &matched) {
    const TinyMessage &message = *next();
    if (PostedReceive *posted = mailbox().posted.match(message.envelope)) {
        auto &request = static_cast<ReceiveRequest &>(*posted);
        write_result(request, message);
        if (somebody_listens()) [[unlikely]]
            record_remote_delivery(message.envelope, message.size_bytes, mailbox());
        matched.add(request);
    } else {
        queue(message, mailbox());
    }
    drop_next();
}

void RankTray::complete_and_lock(Matched &matched) {
    mailbox().lock.unlock();
    matched.complete();
    mailbox().lock.lock_unsettled();
}

// Takes in the messages that are complete. The caller holds the lock, which is released for a while
// if receives were posted. Stops when the mailbox is full.
void RankTray::take_in_complete() {
    for (;;) {
        Matched matched;
        while (!matched.is_full() && !mailbox_is_full() && next())
            take_in_next(matched);
        if (matched.empty())
            return;
        complete_and_lock(matched);
    }
}

// Does the same up to place `end`.
void RankTray::take_in_claimed(uint64_t end) {
    for (;;) {
        Matched matched;
        while (!matched.is_full() && taken() < end) {
            await_next();
            take_in_next(matched);
        }
        if (matched.empty())
            return;
        complete_and_lock(matched);
    }
}

// What has been claimed while the lock was released is newer than what the caller will do next.
// A full mailbox closes the tray, whose messages would go round the limit.
void RankTray::settle() {
    take_in_claimed(claimed());
    if (mailbox_is_full()) [[unlikely]]
        close_locked();
}

// What nobody waits for can stay.
bool RankTray::look() {
    if (!has_next())
        return false;
    MailboxLock &lock = mailbox().lock;
    lock.lock_unsettled();
    const bool is_awaited = !mailbox().posted.empty() || mailbox().probers;
    if (is_awaited)
        take_in_complete();
    if (mailbox_is_full()) [[unlikely]]
        close_locked();
    lock.unlock();
    return is_awaited;
}

void RankTray::close() {
    mailbox().lock.lock_unsettled();
    close_locked();
    mailbox().lock.unlock();
}

// The caller holds the lock, which is released for a while if receives were posted. The lock knows
// of the tray until it is empty: who takes it in between settles. The rank may have opened it again
// when take_in_claimed() returns to another thread.
void RankTray::close_locked() {
    MailboxLock &lock = mailbox().lock;
    while (lock.tray()) {
        take_in_claimed(Tray::close());
        if (is_open())
            continue;
        lock.set_tray(nullptr);
        rank_.tray.store(nullptr, std::memory_order_relaxed);
        asks_wanted_ = taken() - taken_before_ >= useful ? 1 : std::min(2 * asks_wanted_, asks_max);
    }
}

// The caller holds the lock.
void RankTray::ask_to_open() {
    if (mailbox().lock.tray() || ++asks_ < asks_wanted_)
        return;
    asks_ = 0;
    taken_before_ = taken();
    mailbox().lock.set_tray(this);
    rank_.tray.store(this, std::memory_order_relaxed);
    open();
}

bool RankTray::receive_unlock(ReceiveRequest &request) {
    Mailbox &mailbox = this->mailbox();
    // The oldest message is often the one, and goes straight to its buffer.
    if (mailbox.posted.empty() && mailbox.unexpected.empty() && !somebody_listens()) {
        const TinyMessage *message = next();
        if (!message)
            return false;
        if (request.envelope.accepts(message->envelope)) {
            write_result(request, *message);
            drop_next();
            mailbox.lock.unlock();
            return true;
        }
    }
    take_in_complete();
    return false;
}

// Messages in the ring are not counted among the buffered ones: a tray needs so much room for
// those.
constexpr size_t buffered_bytes_wanted = size_t{1} << 20;

bool messages_are_plain() {
    return !somebody_listens() && !holds_sends() && !has_seed() && !keeps_outcomes();
}

// OpenTrayFunction.
void open_tray_of_task(Task &task) {
    Rank *rank = static_cast<RankThread &>(task).rank;
    if (!rank || rank != &task || !rank->process)
        return;
    Mailbox &mailbox = rank->process->mailbox;
    mailbox.lock.lock_unsettled();
    open_tray(mailbox);
    mailbox.lock.unlock();
}

// BeforeSuspension of a thread that the rank has made since.
void close_tray_of_rank(Task &task) {
    auto &thread = static_cast<RankThread &>(task);
    if (thread.rank && thread.rank->kind == TaskKind::Fiber && thread.rank->process)
        close_tray(*thread.rank->process);
}

[[gnu::constructor]] void install() {
    set_open_tray_function(&open_tray_of_task);
    set_before_suspension(&close_tray_of_rank);
}

} // namespace

bool leave_in_tray(const Outgoing &out, Mailbox &receiver, std::atomic<Tray *> &known) {
    Tray &tray = *known.load(std::memory_order_relaxed);
    const Datatype *type = out.data.datatype;
    if (&tray.mailbox() != &receiver || out.data.size_bytes > TinyMessage::payload_bytes ||
        (type && !type->predefined) || somebody_listens() || holds_sends())
        return false;
    const Tray::Left left = tray.leave([&](TinyMessage &message) {
        const CallPlace place = current_call();
        message.envelope = out.envelope;
        message.size_bytes = static_cast<uint16_t>(out.data.size_bytes);
        message.sender_function = static_cast<uint16_t>(place.function);
        message.call_site = place.call_site;
        message.type = type;
        if (out.data.size_bytes == sizeof(uint64_t) && out.data.dense()) // most are
            std::memcpy(message.payload, out.data.buffer, sizeof(uint64_t));
        else
            pack_all(out.data, message.payload);
    });
    if (left == Tray::Left::Closed)
        known.store(nullptr, std::memory_order_relaxed);
    return left == Tray::Left::Yes;
}

void open_tray(Mailbox &mailbox) {
    Rank &rank = *process_of(mailbox).rank;
    mailbox.lock.begin_to_count();
    // Another thread of the rank could wait for what only this one takes in.
    if (rank.kind != TaskKind::Fiber || os_thread_tasks() > 0 || !messages_are_plain() ||
        mailbox.buffered_bytes_max < buffered_bytes_wanted ||
        mailbox.buffered_bytes > mailbox.buffered_bytes_max - buffered_bytes_wanted)
        return;
    if (!mailbox.tray)
        mailbox.tray = new RankTray(mailbox, rank);
    static_cast<RankTray &>(*mailbox.tray).ask_to_open();
}

bool receive_from_tray_unlock(ReceiveRequest &request, Mailbox &mailbox) {
    return static_cast<RankTray &>(*mailbox.lock.tray()).receive_unlock(request);
}

void close_tray(Process &process) {
    Mailbox &mailbox = process.mailbox;
    mailbox.lock.lock_unsettled();
    auto *tray = static_cast<RankTray *>(mailbox.lock.tray());
    mailbox.lock.unlock();
    if (tray)
        tray->close();
}

} // namespace thrum
