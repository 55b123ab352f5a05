// Which other message a wildcard receive could have taken.
#include "check/arrival_log.h"

#include <mpi.h>

#include <gtest/gtest.h>

namespace thrum {
namespace {

constexpr size_t receiver = 0; // the rank that has the log
constexpr Envelope any_source{2, MPI_ANY_SOURCE, 7};

// A message whose sender knows of the receiver's first `known` wildcard receives.
LoggedMessage message_from(int source, uint32_t known = 0, int tag = 7) {
    LoggedMessage message;
    message.envelope = {2, source, tag};
    message.sender_rank = source;
    message.known = std::make_shared<const Knowledge>(Knowledge{known, 0, 0, 0});
    return message;
}

// Lets receive number `position` of the rank take the message.
void take(ArrivalLog &log, uint64_t number, uint64_t position) {
    log.message(number)->is_taken = true;
    log.message(number)->order = {position, 0};
}

// Adds a wildcard receive, the rank's first, that has taken the message.
const WildcardReceive &add_receive(ArrivalLog &log, uint64_t message, uint64_t position,
                                   const Envelope &envelope = any_source) {
    take(log, message, position);
    const uint64_t number = log.add(WildcardReceive{
        .envelope = envelope, .order = {position, 0}, .message = message, .number = 1});
    return *log.wildcard(number);
}

std::vector<int> sources_of(const std::vector<const LoggedMessage *> &messages) {
    std::vector<int> sources;
    for (const LoggedMessage *message : messages)
        sources.push_back(message->envelope.source);
    return sources;
}

TEST(ArrivalLog, OffersTheFirstMessageOfEachOtherSource) {
    ArrivalLog log(receiver);
    const uint64_t first = log.add(message_from(1));
    log.add(message_from(2));
    log.add(message_from(1));
    log.add(message_from(2));
    log.add(message_from(3));
    EXPECT_EQ(sources_of(log.alternatives(add_receive(log, first, 1))), (std::vector{2, 3}));
}

TEST(ArrivalLog, OffersOnlyWhatTheEnvelopeAccepts) {
    ArrivalLog log(receiver);
    const uint64_t first = log.add(message_from(1));
    log.add(message_from(2, 0, 8));
    EXPECT_TRUE(log.alternatives(add_receive(log, first, 1)).empty());
    EXPECT_EQ(
        sources_of(log.alternatives(add_receive(log, first, 1, {2, MPI_ANY_SOURCE, MPI_ANY_TAG}))),
        std::vector{2});
}

TEST(ArrivalLog, OffersNothingThatWasSentInKnowledgeOfTheReceive) {
    ArrivalLog log(receiver);
    const uint64_t first = log.add(message_from(1));
    log.add(message_from(2, 1));
    log.add(message_from(3, 0));
    EXPECT_EQ(sources_of(log.alternatives(add_receive(log, first, 1))), std::vector{3});
}

TEST(ArrivalLog, OffersNothingThatAnEarlierReceiveTook) {
    ArrivalLog log(receiver);
    const uint64_t earlier = log.add(message_from(2)), first = log.add(message_from(1));
    const uint64_t later = log.add(message_from(3));
    take(log, earlier, 1);
    take(log, later, 3);
    EXPECT_EQ(sources_of(log.alternatives(add_receive(log, first, 2))), std::vector{3});
}

TEST(ArrivalLog, DoesNotOfferALaterMessageInPlaceOfAKnowingOne) {
    ArrivalLog log(receiver);
    const uint64_t first = log.add(message_from(1));
    log.add(message_from(2, 1));
    log.add(message_from(2, 1));
    EXPECT_TRUE(log.alternatives(add_receive(log, first, 1)).empty());
}

TEST(ArrivalLog, ForgetsReceivesWithTheirMessages) {
    ArrivalLog log(receiver);
    const uint64_t first = log.add(message_from(1)), second = log.add(message_from(2));
    add_receive(log, first, 1);
    add_receive(log, second, 2);
    EXPECT_TRUE(log.is_among_oldest(first, 1));
    log.drop_oldest(1);
    EXPECT_EQ(log.message(first), nullptr);
    EXPECT_NE(log.message(second), nullptr);
    ASSERT_EQ(log.wildcards().size(), 1u);
    EXPECT_EQ(log.wildcards().front().message, second);
}

TEST(ArrivalLog, DropsTakenMessagesWhileThereAreNoWildcards) {
    ArrivalLog log(receiver);
    const uint64_t first = log.add(message_from(1));
    log.add(message_from(2));
    take(log, first, 1);
    log.drop_taken();
    EXPECT_EQ(log.size(), 1u);
    log.drop_taken();
    EXPECT_EQ(log.size(), 1u);
}

// Returns the positions of the wildcard receives that must be matched before one that is posted at
// a position can get the message.
std::vector<uint64_t> positions_before(ArrivalLog &log, const Envelope &envelope, uint64_t position,
                                       uint64_t message) {
    std::vector<uint64_t> positions;
    for (const WildcardReceive *other : log.matched_before(envelope, {position, 0}, message))
        positions.push_back(other->order.last_posted);
    return positions;
}

TEST(ArrivalLog, AReceiveThatWouldTakeTheMessageIsMatchedBefore) {
    ArrivalLog log(receiver);
    const uint64_t first = log.add(message_from(1)), other_tag = log.add(message_from(1, 0, 8));
    const uint64_t second = log.add(message_from(2));
    add_receive(log, first, 1);
    add_receive(log, other_tag, 2, {2, MPI_ANY_SOURCE, 8});
    add_receive(log, second, 3);
    EXPECT_EQ(positions_before(log, any_source, 3, second), (std::vector<uint64_t>{1}));
    EXPECT_EQ(positions_before(log, any_source, 1, first), (std::vector<uint64_t>{}));
}

TEST(ArrivalLog, AReceiveThatTakesAnEarlierMessageOfTheSourceIsMatchedBefore) {
    ArrivalLog log(receiver);
    const uint64_t first = log.add(message_from(1, 0, 8)), second = log.add(message_from(1));
    add_receive(log, first, 1, {2, MPI_ANY_SOURCE, 8});
    EXPECT_EQ(positions_before(log, {2, 1, MPI_ANY_TAG}, 2, second), (std::vector<uint64_t>{1}));
    EXPECT_EQ(positions_before(log, {2, 1, 7}, 2, second), (std::vector<uint64_t>{}));
}

} // namespace
} // namespace thrum
