#include "check/arrival_log.h"

#include <algorithm>
#include <utility>

namespace thrum {
namespace {

// Returns the entry with this number; nullptr if it has been dropped.
template <class Entries>
auto *entry_at(Entries &entries, uint64_t first, uint64_t number) {
    return number >= first && number - first < entries.size() ? &entries[number - first] : nullptr;
}

} // namespace

uint64_t ArrivalLog::add(LoggedMessage message) {
    messages_.push_back(std::move(message));
    return first_message_ + messages_.size() - 1;
}

uint64_t ArrivalLog::add(WildcardReceive receive) {
    wildcards_.push_back(std::move(receive));
    return first_wildcard_ + wildcards_.size() - 1;
}

LoggedMessage *ArrivalLog::message(uint64_t number) {
    return entry_at(messages_, first_message_, number);
}

const LoggedMessage *ArrivalLog::message(uint64_t number) const {
    return entry_at(messages_, first_message_, number);
}

WildcardReceive *ArrivalLog::wildcard(uint64_t number) {
    return entry_at(wildcards_, first_wildcard_, number);
}

std::vector<const LoggedMessage *> ArrivalLog::alternatives(const WildcardReceive &receive) const {
    std::vector<const LoggedMessage *> found;
    for (const uint64_t number : alternative_numbers(receive))
        found.push_back(message(number));
    return found;
}

std::vector<uint64_t> ArrivalLog::alternative_numbers(const WildcardReceive &receive) const {
    std::vector<uint64_t> found;
    const LoggedMessage *got = message(receive.message);
    if (!got)
        return found;
    std::vector<int> decided{got->envelope.source}; // sources
    for (uint64_t number = first_message_; number - first_message_ < messages_.size(); ++number) {
        const LoggedMessage &message = *this->message(number);
        const int source = message.envelope.source;
        if (!receive.envelope.accepts(message.envelope) || std::ranges::count(decided, source) ||
            (message.is_taken && message.order < receive.order))
            continue;
        decided.push_back(source);
        if (receive.number == 0 || (*message.known)[receiver_] < receive.number)
            found.push_back(number);
    }
    return found;
}

std::vector<WildcardReceive *>
ArrivalLog::matched_before(const Envelope &envelope, const ReceiveOrder &order, uint64_t message) {
    std::vector<WildcardReceive *> found;
    const Envelope &wanted = this->message(message)->envelope;
    for (WildcardReceive &other : wildcards_) {
        if (other.is_probe || other.order >= order)
            continue;
        const Envelope &taken = this->message(other.message)->envelope;
        const bool takes_earlier =
            taken.source == wanted.source && other.message < message && envelope.accepts(taken);
        if (other.envelope.accepts(wanted) || takes_earlier)
            found.push_back(&other);
    }
    return found;
}

void ArrivalLog::drop_taken() {
    while (wildcards_.empty() && !messages_.empty() && messages_.front().is_taken)
        drop_oldest(1);
}

void ArrivalLog::drop_oldest(size_t count) {
    count = std::min(count, messages_.size());
    messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(count));
    first_message_ += count;
    while (!wildcards_.empty() && wildcards_.front().message < first_message_) {
        wildcards_.pop_front();
        ++first_wildcard_;
    }
}

} // namespace thrum
