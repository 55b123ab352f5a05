// Two ranks on two workers send each other windows of messages, of which most go through trays, and
// take them by every kind of call. Trays are opened as often as they may be.
#include "base/settings.h"
#include "base/testing/seed.h"
#include "comm/testing/processes.h"
#include "datatype/status.h"
#include "pt2pt/freed_requests.h"
#include "pt2pt/probe.h"
#include "pt2pt/rank_tray.h"
#include "pt2pt/receive.h"
#include "pt2pt/send.h"
#include "pt2pt/wait.h"

#include <array>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace thrum {
namespace {

constexpr int window = 64, rounds = 300, ints_max = 10, tag = 3;

void ok(Error error) {
    EXPECT_EQ(error.code(), MPI_SUCCESS) << error_detail(error.code());
}

class Talker {
public:
    Talker(Process &process, uint64_t seed)
        : process_(process), comm_(*process.world), peer_(1 - comm_.rank),
          random_(seed * 2 + static_cast<uint64_t>(comm_.rank)) {}

    void run() {
        std::mt19937_64 common(testing::test_seed());
        for (int round = 0; round < rounds && !::testing::Test::HasFailure(); ++round) {
            const bool sends = static_cast<int>(common() % 2) == comm_.rank;
            sends ? send_window() : receive_window();
        }
    }

private:
    using Data = std::array<int, ints_max>;

    bool one_in(unsigned n) { return random_() % n == 0; }

    void pause() {
        if (one_in(20))
            for (uint64_t n = random_() % 500; n > 0; --n)
                cpu_pause();
    }

    Count count_of(int number) const { return 1 + number * 7 % ints_max; }

    Datatype &type() const { return *find_datatype(MPI_INT); }

    void send_window() {
        for (int i = 0; i < window; ++i, ++sent_, pause()) {
            data_[i].fill(sent_);
            const SendMode mode = one_in(100) ? SendMode::Synchronous : SendMode::Standard;
            ok(isend(data_[i].data(), count_of(sent_), type(), peer_, tag, comm_, mode,
                     &requests_[i]));
        }
        ok(wait_all(window, requests_.data(), MPI_STATUSES_IGNORE));
        MPI_Status status;
        ok(receive(nullptr, 0, type(), peer_, tag + 1, comm_, &status));
    }

    void check(int i, const MPI_Status &status) {
        ASSERT_EQ(data_[i][0], received_);
        ASSERT_EQ(status_bytes(status), count_of(received_) * static_cast<Count>(sizeof(int)));
        ASSERT_EQ(data_[i][static_cast<size_t>(count_of(received_) - 1)], received_);
        ASSERT_EQ(status.MPI_SOURCE, peer_);
        ++received_;
    }

    int some_source() { return one_in(2) ? peer_ : MPI_ANY_SOURCE; }

    void receive_window() {
        open();
        one_in(3) ? receive_one_by_one() : receive_posted();
        ok(send(nullptr, 0, type(), peer_, tag + 1, comm_, SendMode::Standard));
    }

    void open() {
        LockGuard guard(process_.mailbox.lock);
        open_tray(process_.mailbox);
    }

    void receive_posted() {
        std::array<MPI_Status, window> statuses;
        for (int i = 0; i < window; ++i, pause())
            ok(ireceive(data_[i].data(), ints_max, type(), some_source(), tag, comm_,
                        &requests_[i]));
        bool done = false;
        if (one_in(2))
            ok(wait_all(window, requests_.data(), statuses.data()));
        else
            while (!done)
                ok(test_all(window, requests_.data(), done, statuses.data()));
        for (int i = 0; i < window; ++i)
            check(i, statuses[i]);
    }

    void receive_one_by_one() {
        for (int i = 0; i < window; ++i, pause()) {
            MPI_Status status;
            if (one_in(8))
                ok(probe(some_source(), tag, comm_, &status));
            ok(receive(data_[0].data(), ints_max, type(), some_source(), tag, comm_, &status));
            check(0, status);
        }
    }

    Process &process_;
    Communicator &comm_;
    const int peer_;
    std::mt19937_64 random_;
    int sent_ = 0, received_ = 0;
    std::array<Data, window> data_;
    std::array<MPI_Request, window> requests_;
};

} // namespace

TEST(RankTray, DeliversWhatIsLeftInIt) {
    const char *const environment[] = {"THRUM_TRAY_AFTER=1", nullptr};
    read_settings(environment);
    const uint64_t seed = testing::test_seed();
    run_processes(2,
                  [seed](Process &process) {
                      Talker(process, seed).run();
                      (void)finish_requests_of_world(process);
                  },
                  {.workers = 2});
    for (int rank = 0; rank < 2; ++rank) {
        const Mailbox &mailbox = process_at(rank).mailbox;
        EXPECT_TRUE(mailbox.unexpected.empty());
        ASSERT_TRUE(mailbox.tray);
        EXPECT_FALSE(mailbox.tray->is_open()) << "the rank has ended";
        EXPECT_EQ(mailbox.tray->taken(), mailbox.tray->claimed());
    }
}

// The first message shows the sender that the tray is open. Messages of all ways stay in order.
TEST(RankTray, KeepsTheOrderOfMessagesOfAllSizes) {
    run_processes(1,
                  [](Process &process) {
                      Communicator &comm = *process.world;
                      Mailbox &mailbox = process.mailbox;
                      Datatype &type = *find_datatype(MPI_INT);
                      {
                          LockGuard guard(mailbox.lock);
                          open_tray(mailbox);
                      }
                      const Tray &tray = *mailbox.tray;
                      const uint64_t before = tray.claimed();
                      constexpr int counts[] = {1, 2, 3, 500, 4, 6, 7, 0, 5};
                      for (int i = 0; const int count : counts) {
                          std::vector<int> data(500, i++);
                          ok(send(data.data(), count, type, 0, tag, comm, SendMode::Standard));
                      }
                      EXPECT_EQ(tray.claimed() - before, 6u) << "2, 3, 4, 6, 0 and 5 integers";
                      EXPECT_EQ(tray.taken() - before, 4u)
                          << "7 integers have settled those before";
                      bool found = false;
                      MPI_Status status;
                      ok(iprobe(0, tag, comm, found, &status));
                      EXPECT_TRUE(found);
                      EXPECT_EQ(tray.taken(), tray.claimed());
                      for (int i = 0; const int count : counts) {
                          std::vector<int> data(500, -1);
                          ok(receive(data.data(), 500, type, 0, tag, comm, &status));
                          EXPECT_EQ(status_bytes(status), count * static_cast<Count>(sizeof(int)));
                          EXPECT_EQ(data[0], count > 0 ? i : -1);
                          ++i;
                      }
                      // An empty mailbox: straight out of the tray. Then a receive that is posted
                      // first.
                      int value = 17, got = 0;
                      ok(send(&value, 1, type, 0, tag, comm, SendMode::Standard));
                      EXPECT_EQ(tray.claimed() - tray.taken(), 1u);
                      ok(receive(&got, 1, type, 0, tag, comm, &status));
                      EXPECT_EQ(got, 17);
                      MPI_Request request;
                      ok(ireceive(&got, 1, type, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request));
                      value = 18;
                      ok(send(&value, 1, type, 0, tag, comm, SendMode::Standard));
                      EXPECT_EQ(tray.claimed() - tray.taken(), 1u);
                      bool done = false;
                      ok(test(request, done, &status));
                      EXPECT_TRUE(done);
                      EXPECT_EQ(got, 18);
                      (void)finish_requests_of_world(process);
                  },
                  {.workers = 1});
}

// A rank that probes for another message takes in what comes, but not more than the limit.
TEST(RankTray, IsClosedWhenTheMailboxIsFull) {
    run_processes(
        1,
        [](Process &process) {
            constexpr int messages = 20'000;
            Communicator &comm = *process.world;
            Mailbox &mailbox = process.mailbox;
            Datatype &type = *find_datatype(MPI_INT);
            {
                LockGuard guard(mailbox.lock);
                mailbox.buffered_bytes_max = size_t{2} << 20;
                open_tray(mailbox);
            }
            std::vector<MPI_Request> requests(messages, MPI_REQUEST_NULL);
            std::vector<int> data(messages);
            bool found = false;
            for (size_t i = 0; i < requests.size(); ++i) {
                data[i] = static_cast<int>(i);
                ok(isend(&data[i], 1, type, 0, tag, comm, SendMode::Standard, &requests[i]));
                ok(iprobe(0, tag + 1, comm, found, MPI_STATUS_IGNORE));
            }
            EXPECT_FALSE(mailbox.tray->is_open());
            EXPECT_LT(mailbox.buffered_bytes,
                      mailbox.buffered_bytes_max + Tray::places * sizeof(UnexpectedMessage));
            EXPECT_GT(mailbox.unexpected.size(), 1000u);
            for (int i = 0; i < messages; ++i) {
                int got = -1;
                ok(receive(&got, 1, type, 0, tag, comm, MPI_STATUS_IGNORE));
                ASSERT_EQ(got, i);
            }
            ok(wait_all(messages, requests.data(), MPI_STATUSES_IGNORE));
            (void)finish_requests_of_world(process);
        },
        {.workers = 1});
}

} // namespace thrum
