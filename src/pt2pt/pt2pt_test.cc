// Point-to-point communication between ranks of one process, on one worker, on two, and with an OS
// thread for every rank.
#include "comm/errhandler.h"
#include "comm/testing/processes.h"
#include "datatype/constructors.h"
#include "datatype/status.h"
#include "fiber/testing/each_layer.h"
#include "pt2pt/buffered.h"
#include "pt2pt/cancel.h"
#include "pt2pt/freed_requests.h"
#include "pt2pt/generalized.h"
#include "pt2pt/persistent.h"
#include "pt2pt/probe.h"
#include "pt2pt/receive.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/send.h"
#include "pt2pt/sendrecv.h"
#include "pt2pt/wait.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

using namespace thrum;

namespace {

class Pt2pt : public ::testing::TestWithParam<TeamOptions> {
protected:
    // As run_processes(), and then what MPI_Finalize does.
    template <class F>
    void run(int count, F function) {
        run_processes(
            count,
            [&](Process &process) {
                function(*process.world);
                (void)finish_requests_of_world(process);
                EXPECT_TRUE(process.mailbox.posted.empty());
            },
            GetParam());
        for (int rank = 0; rank < count; ++rank)
            EXPECT_TRUE(process_at(rank).mailbox.unexpected.empty()) << "rank " << rank;
    }
};

Datatype &int_type() {
    return *find_datatype(MPI_INT);
}

void ok(Error error) {
    EXPECT_EQ(error.code(), MPI_SUCCESS) << error_detail(error.code());
}

void send_ints(const std::vector<int> &data, int dest, int tag, Communicator &comm,
               SendMode mode = SendMode::Standard) {
    ok(send(data.data(), static_cast<Count>(data.size()), int_type(), dest, tag, comm, mode));
}

std::vector<int> receive_ints(size_t count, int source, int tag, Communicator &comm,
                              MPI_Status *status = MPI_STATUS_IGNORE) {
    std::vector<int> data(count, -1);
    ok(receive(data.data(), static_cast<Count>(count), int_type(), source, tag, comm, status));
    return data;
}

std::vector<int> pattern(size_t count, int seed) {
    std::vector<int> data(count);
    for (size_t i = 0; i < count; ++i)
        data[i] = static_cast<int>(i * 2654435761u) ^ seed;
    return data;
}

// Tiny (in the queue node), eager (in pooled memory), at the eager limit, rendezvous.
constexpr size_t interesting_counts[] = {0, 1, 28, 29, 500, 2048, 2049, 100000};

} // namespace

TEST_P(Pt2pt, MessagesOfAllSizesAndModesArriveWhetherSentOrReceivedFirst) {
    run(2, [](Communicator &comm) {
        std::vector<char> room(4 << 20);
        ok(attach_buffer(buffer_of(comm), room.data(), static_cast<Count>(room.size())));
        for (SendMode mode :
             {SendMode::Standard, SendMode::Buffered, SendMode::Synchronous, SendMode::Ready}) {
            for (size_t count : interesting_counts) {
                for (bool receiver_late : {false, true}) {
                    const int tag = static_cast<int>(mode);
                    if (comm.rank == (receiver_late ? 0 : 1))
                        yield();
                    if (comm.rank == 0) {
                        send_ints(pattern(count, tag), 1, tag, comm, mode);
                        receive_ints(0, 1, 99, comm);
                    } else {
                        MPI_Status status;
                        EXPECT_EQ(receive_ints(count, 0, tag, comm, &status), pattern(count, tag));
                        EXPECT_EQ(status.MPI_SOURCE, 0);
                        EXPECT_EQ(status.MPI_TAG, tag);
                        EXPECT_EQ(status_bytes(status), static_cast<Count>(count * sizeof(int)));
                        EXPECT_FALSE(status_cancelled(status));
                        send_ints({}, 0, 99, comm);
                    }
                }
            }
        }
        void *buffer;
        Count size_bytes;
        ok(detach_buffer(buffer_of(comm), &buffer, &size_bytes));
        EXPECT_EQ(buffer, room.data());
        EXPECT_EQ(size_bytes, static_cast<Count>(room.size()));
    });
}

TEST_P(Pt2pt, PingPongManyTimes) {
    run(2, [](Communicator &comm) {
        for (int i = 0; i < 20000; ++i) {
            if (comm.rank == 0) {
                send_ints({i}, 1, 5, comm);
                ASSERT_EQ(receive_ints(1, 1, 6, comm)[0], i + 1);
            } else {
                ASSERT_EQ(receive_ints(1, 0, 5, comm)[0], i);
                send_ints({i + 1}, 0, 6, comm);
            }
        }
    });
}

TEST_P(Pt2pt, AMessageToOneselfArrives) {
    run(1, [](Communicator &comm) {
        MPI_Request request;
        std::vector<int> got(100000);
        for (size_t count : interesting_counts) {
            ok(ireceive(got.data(), static_cast<Count>(count), int_type(), 0, 1, comm, &request));
            send_ints(pattern(count, 3), 0, 1, comm);
            ok(wait(request, MPI_STATUS_IGNORE));
            EXPECT_TRUE(std::equal(got.begin(), got.begin() + static_cast<long>(count),
                                   pattern(count, 3).begin()));
            ok(isend(got.data(), static_cast<Count>(count), int_type(), 0, 1, comm,
                     SendMode::Synchronous, &request));
            EXPECT_EQ(receive_ints(count, MPI_ANY_SOURCE, MPI_ANY_TAG, comm), pattern(count, 3));
            ok(wait(request, MPI_STATUS_IGNORE));
            EXPECT_EQ(request, MPI_REQUEST_NULL);
        }
    });
}

TEST_P(Pt2pt, MessagesDoNotOvertakeWhateverTheirSizes) {
    run(2, [](Communicator &comm) {
        constexpr int messages = 300;
        std::vector<MPI_Request> requests(messages);
        std::vector<std::vector<int>> data;
        for (int i = 0; i < messages; ++i)
            data.push_back(pattern(interesting_counts[i % 8] + 1, i));
        if (comm.rank == 0) {
            for (int i = 0; i < messages; ++i)
                ok(isend(data[i].data(), static_cast<Count>(data[i].size()), int_type(), 1, 7, comm,
                         SendMode::Standard, &requests[i]));
            ok(wait_all(messages, requests.data(), MPI_STATUSES_IGNORE));
        } else {
            for (int i = 0; i < messages; ++i) {
                int tag = i % 2 ? 7 : MPI_ANY_TAG, source = i % 3 ? 0 : MPI_ANY_SOURCE;
                ASSERT_EQ(receive_ints(data[i].size(), source, tag, comm), data[i]) << i;
            }
        }
    });
}

TEST_P(Pt2pt, TooLongAMessageGivesTruncateAndNamesBothSizes) {
    run(2, [](Communicator &comm) {
        for (size_t count : {size_t{10}, size_t{1000}, size_t{100000}}) {
            if (comm.rank == 0) {
                send_ints(pattern(count, 1), 1, 4, comm);
                continue;
            }
            std::vector<int> got(9, -1);
            MPI_Status status;
            Error error = receive(got.data(), 8, int_type(), 0, 4, comm, &status);
            EXPECT_EQ(error.code(), MPI_ERR_TRUNCATE);
            std::string sentence = error_detail(MPI_ERR_TRUNCATE);
            EXPECT_NE(sentence.find(std::to_string(count * 4) + " bytes"), std::string::npos)
                << sentence;
            EXPECT_NE(sentence.find("room for 32"), std::string::npos) << sentence;
            EXPECT_EQ(status_bytes(status), 32);
            EXPECT_EQ(got[8], -1);
        }
    });
}

TEST_P(Pt2pt, TenThousandMessagesFromManyToOneAreReceivedInAnyOrder) {
    constexpr int senders = 10, each = 1000;
    run(senders + 1, [](Communicator &comm) {
        if (comm.rank > 0) {
            for (int i = 0; i < each; ++i)
                send_ints({comm.rank * each + i}, 0, i, comm);
            return;
        }
        for (int i = each - 1; i >= 0; --i) // youngest first, alternately by source and by any
            for (int n = 1; n <= senders; ++n) {
                MPI_Status status;
                int source = i % 2 ? n : MPI_ANY_SOURCE;
                int got = receive_ints(1, source, i, comm, &status)[0];
                ASSERT_EQ(got, status.MPI_SOURCE * each + i);
                ASSERT_EQ(status.MPI_TAG, i);
            }
    });
}

TEST_P(Pt2pt, ProcNullIsAnsweredAtOnce) {
    run(1, [](Communicator &comm) {
        MPI_Status status{};
        auto is_proc_null = [&] {
            EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
            EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
            EXPECT_EQ(status_bytes(status), 0);
            status = {};
        };
        MPI_Request request;
        MPI_Message message;
        int data = 17;
        bool found = false;
        send_ints({1}, MPI_PROC_NULL, 0, comm, SendMode::Synchronous);
        ok(receive(&data, 1, int_type(), MPI_PROC_NULL, 3, comm, &status));
        is_proc_null();
        ok(ireceive(&data, 1, int_type(), MPI_PROC_NULL, 3, comm, &request));
        ok(wait(request, &status));
        is_proc_null();
        ok(probe(MPI_PROC_NULL, 0, comm, &status));
        is_proc_null();
        ok(improbe(MPI_PROC_NULL, 0, comm, found, &message, &status));
        EXPECT_TRUE(found);
        EXPECT_EQ(message, MPI_MESSAGE_NO_PROC);
        is_proc_null();
        ok(mreceive(&data, 1, int_type(), &message, &status));
        is_proc_null();
        request = receive_init(&data, 1, int_type(), MPI_PROC_NULL, 0, comm);
        ok(start(*request));
        ok(wait(request, &status));
        is_proc_null();
        ok(abandon_request(*request));
        ok(send_receive({&data, 1, int_type(), MPI_PROC_NULL, 0},
                        {&data, 1, int_type(), MPI_PROC_NULL, 0}, comm, &status));
        is_proc_null();
        EXPECT_EQ(data, 17);
    });
}

TEST_P(Pt2pt, WaitanyGivesEachRequestOnceInTheOrderOfCompletion) {
    run(2, [](Communicator &comm) {
        constexpr int count = 20;
        if (comm.rank == 1) {
            for (int i = count - 1; i >= 0; --i) {
                receive_ints(0, 0, 1000, comm); // wait for the token
                send_ints({i}, 0, i, comm);
            }
            return;
        }
        std::vector<int> data(count);
        std::vector<MPI_Request> requests(count);
        for (int i = 0; i < count; ++i)
            ok(ireceive(&data[i], 1, int_type(), 1, i, comm, &requests[i]));
        for (int expected = count - 1; expected >= 0; --expected) {
            send_ints({}, 1, 1000, comm);
            int index;
            MPI_Status status;
            ok(wait_any(count, requests.data(), index, &status));
            ASSERT_EQ(index, expected);
            EXPECT_EQ(status.MPI_TAG, expected);
            EXPECT_EQ(data[index], expected);
            EXPECT_EQ(requests[index], MPI_REQUEST_NULL);
        }
        int index;
        ok(wait_any(count, requests.data(), index, MPI_STATUS_IGNORE));
        EXPECT_EQ(index, MPI_UNDEFINED);
    });
}

TEST_P(Pt2pt, PeekingFindsWhatIsCompleteAndLeavesTheRequests) {
    run(1, [](Communicator &comm) {
        std::vector<int> data(4);
        MPI_Request requests[5] = {};
        for (int i = 0; i < 4; ++i)
            ok(ireceive(&data[static_cast<size_t>(i)], 1, int_type(), 0, i, comm, &requests[i]));
        requests[4] = MPI_REQUEST_NULL;
        for (const std::vector<int> &sent : {std::vector<int>{}, {0}, {0, 3}, {0, 1, 2, 3}}) {
            static const std::vector<int> order = {0, 3, 1, 2};
            for (int tag : order)
                if (std::ranges::count(sent, tag) && data[static_cast<size_t>(tag)] == 0)
                    send_ints({tag + 10}, 0, tag, comm);
            int completed = -1, indices[5], index = -1;
            bool all = false, any = false;
            MPI_Status statuses[5];
            ok(peek_some(5, requests, completed, indices, statuses));
            EXPECT_EQ(std::vector<int>(indices, indices + completed), sent);
            for (int i = 0; i < completed; ++i)
                EXPECT_EQ(statuses[i].MPI_TAG, indices[i]);
            ok(peek_all(5, requests, all, statuses));
            EXPECT_EQ(all, sent.size() == 4);
            ok(peek_any(5, requests, index, any, statuses));
            EXPECT_EQ(any, !sent.empty());
            if (any) {
                EXPECT_EQ(index, 0);
            }
        }
        ok(wait_all(4, requests, MPI_STATUSES_IGNORE));
        EXPECT_EQ(data, (std::vector<int>{10, 11, 12, 13}));
        int completed = -1, indices[5];
        ok(peek_some(5, requests, completed, indices, MPI_STATUSES_IGNORE));
        EXPECT_EQ(completed, MPI_UNDEFINED);
    });
}

TEST_P(Pt2pt, WaitsomeGivesAllThatAreComplete) {
    run(3, [](Communicator &comm) {
        constexpr int count = 500;
        if (comm.rank > 0) {
            for (int i = 0; i < count; ++i)
                send_ints(pattern(i % 3 ? 1 : 5000, i), 0, i, comm);
            return;
        }
        std::vector<std::vector<int>> data(2 * count, std::vector<int>(5000));
        std::vector<MPI_Request> requests(2 * count);
        for (int i = 0; i < 2 * count; ++i)
            ok(ireceive(data[i].data(), 5000, int_type(), 1 + i % 2, i / 2, comm, &requests[i]));
        std::vector<int> indices(2 * count);
        std::vector<MPI_Status> statuses(2 * count);
        int received = 0;
        for (;;) {
            int completed;
            ok(wait_some(2 * count, requests.data(), completed, indices.data(), statuses.data()));
            if (completed == MPI_UNDEFINED)
                break;
            ASSERT_GT(completed, 0);
            for (int n = 0; n < completed; ++n) {
                int i = indices[n];
                ASSERT_EQ(statuses[n].MPI_TAG, i / 2);
                ASSERT_EQ(data[i][0], pattern(1, i / 2)[0]);
                ASSERT_EQ(requests[i], MPI_REQUEST_NULL);
            }
            received += completed;
        }
        EXPECT_EQ(received, 2 * count);
    });
}

TEST_P(Pt2pt, TestLoopsMakeProgress) {
    run(2, [](Communicator &comm) {
        int got = 0;
        bool done = false;
        MPI_Request request;
        if (comm.rank == 0) {
            ok(ireceive(&got, 1, int_type(), 1, 0, comm, &request));
            ok(test(request, done, MPI_STATUS_IGNORE));
            EXPECT_FALSE(done);
            send_ints({}, 1, 9, comm);
            while (!done)
                ok(test(request, done, MPI_STATUS_IGNORE));
            EXPECT_EQ(got, 42);
        } else {
            while (!done)
                ok(iprobe(0, 9, comm, done, MPI_STATUS_IGNORE));
            receive_ints(0, 0, 9, comm);
            send_ints({42}, 0, 0, comm);
        }
    });
}

TEST_P(Pt2pt, WaitallReportsFailuresInTheStatuses) {
    run(2, [](Communicator &comm) {
        if (comm.rank == 0) {
            send_ints({1}, 1, 0, comm);
            send_ints({1, 2, 3}, 1, 1, comm);
            send_ints({1}, 1, 2, comm);
            return;
        }
        int data[3];
        MPI_Request requests[4];
        MPI_Status statuses[4];
        for (int i = 0; i < 3; ++i)
            ok(ireceive(&data[i], 1, int_type(), 0, i, comm, &requests[i]));
        requests[3] = MPI_REQUEST_NULL;
        EXPECT_EQ(wait_all(4, requests, statuses).code(), MPI_ERR_IN_STATUS);
        EXPECT_EQ(statuses[0].MPI_ERROR, MPI_SUCCESS);
        EXPECT_EQ(statuses[1].MPI_ERROR, MPI_ERR_TRUNCATE);
        EXPECT_EQ(statuses[2].MPI_ERROR, MPI_SUCCESS);
        EXPECT_EQ(statuses[3].MPI_ERROR, MPI_SUCCESS);
        EXPECT_EQ(statuses[3].MPI_SOURCE, MPI_ANY_SOURCE);
        for (MPI_Request request : requests)
            EXPECT_EQ(request, MPI_REQUEST_NULL);
    });
}

TEST_P(Pt2pt, WaitallReportsAFailureToThoseWhoIgnoreStatuses) {
    run(1, [](Communicator &comm) {
        comm.errhandler = &errors_return;
        int values[4];
        MPI_Request requests[2];
        ok(ireceive(values, 1, int_type(), 0, 0, comm, &requests[0]));
        ok(ireceive(values + 1, 1, int_type(), 0, 1, comm, &requests[1]));
        send_ints({1, 2}, 0, 0, comm);
        send_ints({3}, 0, 1, comm);
        EXPECT_NE(wait_all(2, requests, MPI_STATUSES_IGNORE).code(), MPI_SUCCESS);
        EXPECT_EQ(values[1], 3);
    });
}

TEST_P(Pt2pt, AnUnmatchedReceiveCanBeCancelledAndAMatchedOneCannot) {
    run(2, [](Communicator &comm) {
        if (comm.rank == 1) {
            send_ints({5}, 0, 1, comm);
            send_ints({}, 0, 2, comm);
            return;
        }
        int got = 0;
        MPI_Request request;
        MPI_Status status;
        ok(ireceive(&got, 1, int_type(), 1, 0, comm, &request));
        ok(cancel(*request));
        ok(wait(request, &status));
        EXPECT_TRUE(status_cancelled(status));
        ok(ireceive(&got, 1, int_type(), 1, 1, comm, &request));
        receive_ints(0, 1, 2, comm); // so the message with tag 1 has come
        ok(cancel(*request));
        ok(wait(request, &status));
        EXPECT_FALSE(status_cancelled(status));
        EXPECT_EQ(got, 5);
    });
}

TEST_P(Pt2pt, AnUnmatchedRendezvousSendCanBeCancelled) {
    run(2, [](Communicator &comm) {
        std::vector<int> data = pattern(100000, 1);
        MPI_Request request;
        MPI_Status status;
        if (comm.rank == 0) {
            ok(isend(data.data(), 100000, int_type(), 1, 0, comm, SendMode::Standard, &request));
            ok(cancel(*request));
            ok(wait(request, &status));
            EXPECT_TRUE(status_cancelled(status));
            send_ints({7}, 1, 0, comm);
            send_ints({}, 1, 1, comm);
        } else {
            receive_ints(0, 0, 1, comm); // not before the other is cancelled
            EXPECT_EQ(receive_ints(1, 0, 0, comm)[0], 7);
        }
    });
}

TEST_P(Pt2pt, ProbeTellsSizeAndMprobeTakesTheMessage) {
    run(2, [](Communicator &comm) {
        for (size_t count : interesting_counts) {
            if (comm.rank == 0) {
                std::vector<int> data[3];
                MPI_Request requests[3];
                for (int i = 0; i < 3; ++i) {
                    data[i] = pattern(count, i + 1);
                    ok(isend(data[i].data(), static_cast<Count>(count), int_type(), 1, 11, comm,
                             SendMode::Standard, &requests[i]));
                }
                ok(wait_all(3, requests, MPI_STATUSES_IGNORE));
                receive_ints(0, 1, 0, comm);
                continue;
            }
            MPI_Status status;
            ok(probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status));
            EXPECT_EQ(status_bytes(status), static_cast<Count>(count * sizeof(int)));
            EXPECT_EQ(status.MPI_TAG, 11);
            MPI_Message first, second;
            ok(mprobe(0, MPI_ANY_TAG, comm, &first, &status));
            bool found = false;
            while (!found)
                ok(improbe(0, 11, comm, found, &second, &status));
            EXPECT_EQ(receive_ints(count, 0, 11, comm), pattern(count, 3));
            std::vector<int> data(count);
            MPI_Request request;
            ok(imreceive(data.data(), static_cast<Count>(count), int_type(), &second, &request));
            ok(wait(request, &status));
            EXPECT_EQ(data, pattern(count, 2));
            EXPECT_EQ(second, MPI_MESSAGE_NULL);
            ok(mreceive(data.data(), static_cast<Count>(count), int_type(), &first, &status));
            EXPECT_EQ(data, pattern(count, 1));
            EXPECT_EQ(status_bytes(status), static_cast<Count>(count * sizeof(int)));
            send_ints({}, 0, 0, comm);
        }
    });
}

TEST_P(Pt2pt, BsendFailsWhenTheBufferIsFullAndSpaceComesBack) {
    run(2, [](Communicator &comm) {
        constexpr Count data_count = 1000;
        constexpr Count size = 3 * (data_count * sizeof(int) + MPI_BSEND_OVERHEAD);
        std::vector<char> room(size + 1); // attached at an odd address
        std::vector<int> data = pattern(data_count, 0);
        if (comm.rank == 1) {
            receive_ints(0, 0, 1, comm);
            for (int round = 0; round < 100; ++round)
                EXPECT_EQ(receive_ints(data_count, 0, 0, comm), data);
            return;
        }
        Error error = send(data.data(), data_count, int_type(), 1, 0, comm, SendMode::Buffered);
        EXPECT_EQ(error.code(), MPI_ERR_BUFFER);
        ok(attach_buffer(buffer_of(*comm.process), room.data() + 1, size));
        EXPECT_EQ(attach_buffer(buffer_of(*comm.process), room.data(), 1).code(), MPI_ERR_BUFFER);
        int sent = 0;
        while (!(error = send(data.data(), data_count, int_type(), 1, 0, comm, SendMode::Buffered)))
            ++sent;
        EXPECT_EQ(error.code(), MPI_ERR_BUFFER);
        EXPECT_EQ(sent, 3);
        MPI_Request flush;
        iflush_buffer(buffer_of(*comm.process), &flush);
        EXPECT_FALSE(flush->completion.done());
        send_ints({}, 1, 1, comm);
        ok(wait(flush, MPI_STATUS_IGNORE));
        for (; sent < 100; ++sent) {
            flush_buffer(buffer_of(*comm.process));
            ok(send(data.data(), data_count, int_type(), 1, 0, comm, SendMode::Buffered));
        }
        void *buffer;
        Count size_bytes;
        ok(detach_buffer(buffer_of(*comm.process), &buffer, &size_bytes));
        EXPECT_EQ(buffer, room.data() + 1);
        ok(attach_buffer(buffer_of(*comm.process), MPI_BUFFER_AUTOMATIC, 0));
        EXPECT_EQ(detach_buffer(buffer_of(*comm.process), &buffer, &size_bytes).code(),
                  MPI_SUCCESS);
        EXPECT_EQ(buffer, MPI_BUFFER_AUTOMATIC);
    });
}

TEST_P(Pt2pt, EveryFlushThatWaitsForAMessageEndsWithIt) {
    run(2, [](Communicator &comm) {
        if (comm.rank == 1) {
            receive_ints(0, 0, 1, comm);
            EXPECT_EQ(receive_ints(1000, 0, 0, comm), pattern(1000, 0));
            return;
        }
        std::vector<char> room(10000);
        const std::vector<int> data = pattern(1000, 0);
        ok(attach_buffer(buffer_of(*comm.process), room.data(), 10000));
        ok(send(data.data(), 1000, int_type(), 1, 0, comm, SendMode::Buffered));
        MPI_Request flushes[4];
        for (MPI_Request &flush : flushes)
            iflush_buffer(buffer_of(*comm.process), &flush);
        for (MPI_Request flush : flushes)
            EXPECT_FALSE(flush->completion.done());
        send_ints({}, 1, 1, comm);
        ok(wait_all(4, flushes, MPI_STATUSES_IGNORE));
        void *buffer;
        Count size_bytes;
        ok(detach_buffer(buffer_of(*comm.process), &buffer, &size_bytes));
    });
}

TEST_P(Pt2pt, PersistentRequestsCanBeStartedAgain) {
    run(2, [](Communicator &comm) {
        for (SendMode mode : {SendMode::Standard, SendMode::Synchronous}) {
            for (Count count : {Count{1}, Count{1000}, Count{50000}}) {
                std::vector<int> data(static_cast<size_t>(count));
                MPI_Request request =
                    comm.rank == 0 ? send_init(data.data(), count, int_type(), 1, 3, comm, mode)
                                   : receive_init(data.data(), count, int_type(), 0, 3, comm);
                MPI_Status status;
                ok(wait(request, &status)); // inactive: returns at once with the empty status
                EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
                for (int round = 0; round < 20; ++round) {
                    const std::vector<int> expected = pattern(static_cast<size_t>(count), round);
                    if (comm.rank == 0) // in place: the request holds the address
                        std::copy(expected.begin(), expected.end(), data.begin());
                    ok(start(*request));
                    EXPECT_EQ(start(*request).code(), MPI_ERR_REQUEST);
                    ok(wait(request, &status));
                    ASSERT_NE(request, MPI_REQUEST_NULL);
                    ASSERT_EQ(data, expected);
                }
                ok(abandon_request(*request));
            }
        }
    });
}

TEST_P(Pt2pt, PersistentRequestsToNobodyAreCompleteOnceStarted) {
    run(1, [](Communicator &comm) {
        int value = 7;
        MPI_Request requests[] = {
            send_init(&value, 1, int_type(), MPI_PROC_NULL, 3, comm, SendMode::Standard),
            send_init(&value, 1, int_type(), MPI_PROC_NULL, 3, comm, SendMode::Synchronous),
            receive_init(&value, 1, int_type(), MPI_PROC_NULL, 3, comm)};
        for (int round = 0; round < 3; ++round)
            for (MPI_Request &request : requests) {
                ok(start(*request));
                ASSERT_TRUE(request->completion.done());
                ok(wait(request, MPI_STATUS_IGNORE));
                EXPECT_FALSE(request->active);
            }
        EXPECT_EQ(value, 7);
        for (MPI_Request request : requests)
            ok(abandon_request(*request));
    });
}

TEST_P(Pt2pt, APersistentSendThatCannotStartStaysInactive) {
    run(1, [](Communicator &comm) {
        int value = 7;
        comm.errhandler = &errors_return;
        MPI_Request request =
            send_init(&value, 1, int_type(), 0, 3, comm, SendMode::Buffered); // without a buffer
        EXPECT_EQ(start(*request).code(), MPI_ERR_BUFFER);
        ASSERT_FALSE(request->active);
        std::vector<char> room(1000);
        ok(attach_buffer(buffer_of(*comm.process), room.data(), 1000));
        ok(start(*request)); // now it can
        EXPECT_EQ(receive_ints(1, 0, 3, comm), std::vector<int>{7});
        ok(wait(request, MPI_STATUS_IGNORE));
        ok(abandon_request(*request));
        void *buffer;
        Count size_bytes;
        ok(detach_buffer(buffer_of(*comm.process), &buffer, &size_bytes));
    });
}

// The next call that frees a pending request finds those that have become complete.
TEST_P(Pt2pt, FreedRequestsAreGivenBackWhenTheyAreComplete) {
    run(2, [](Communicator &comm) {
        if (comm.rank == 1) {
            for (int i = 0; i < 30; ++i) {
                receive_ints(0, 0, 1, comm);
                for (int k = 0; k < 3; ++k)
                    send_ints({i, k}, 0, k, comm);
                send_ints({}, 0, 3, comm);
            }
            return;
        }
        int values[3][2] = {};
        for (int i = 0; i < 30; ++i) {
            for (int k = 0; k < 3; ++k) {
                MPI_Request request;
                ok(ireceive(values[k], 2, int_type(), 1, k, comm, &request));
                ok(abandon_request(*request));
            }
            EXPECT_LE(requests_in_use(*comm.process), 3U);
            send_ints({}, 1, 1, comm);
            receive_ints(0, 1, 3, comm); // behind the three
            for (int k = 0; k < 3; ++k) {
                EXPECT_EQ(values[k][0], i);
                EXPECT_EQ(values[k][1], k);
            }
        }
    });
}

// The sender packs without the mailbox's lock: a receive may be posted meanwhile.
TEST_P(Pt2pt, AReceivePostedWhileTheSenderPacksGetsTheMessage) {
    run(2, [](Communicator &comm) {
        constexpr int count = 1000, rounds = 3000;
        constexpr Count room_bytes = 20 * (count * sizeof(int) + MPI_BSEND_OVERHEAD);
        std::vector<char> room(static_cast<size_t>(room_bytes));
        ok(attach_buffer(buffer_of(*comm.process), room.data(), room_bytes));
        Datatype *every_second = nullptr;
        ok(new_vector(count, 1, 2, int_type(), every_second));
        every_second->committed = true;
        std::vector<int> data(2 * count);
        for (int round = 0; round < rounds; ++round) {
            if (comm.rank == 0) {
                data[0] = data[2 * count - 2] = round;
                const bool buffered = round % 2;
                if (buffered)
                    flush_buffer(buffer_of(*comm.process));
                ok(send(data.data(), 1, *every_second, 1, 0, comm,
                        buffered ? SendMode::Buffered : SendMode::Standard));
            } else {
                const std::vector<int> received = receive_ints(count, 0, 0, comm);
                ASSERT_EQ(received.front(), round);
                ASSERT_EQ(received.back(), round);
            }
        }
        release(*every_second);
        void *buffer;
        Count size_bytes;
        ok(detach_buffer(buffer_of(*comm.process), &buffer, &size_bytes));
    });
}

TEST_P(Pt2pt, RanksInARingExchangeWithSendrecvOfAnySize) {
    run(5, [](Communicator &comm) {
        int right = (comm.rank + 1) % 5, left = (comm.rank + 4) % 5;
        for (size_t count : interesting_counts) {
            const Count n = static_cast<Count>(count);
            std::vector<int> mine = pattern(count, comm.rank), got(count);
            MPI_Status status;
            ok(send_receive({mine.data(), n, int_type(), right, 1},
                            {got.data(), n, int_type(), left, 1}, comm, &status));
            EXPECT_EQ(got, pattern(count, left));
            EXPECT_EQ(status.MPI_SOURCE, left);
            ok(send_receive_replace({mine.data(), n, int_type(), right, 2},
                                    {mine.data(), n, int_type(), left, 2}, comm, &status));
            EXPECT_EQ(mine, pattern(count, left));
            MPI_Request request;
            ok(isend_receive_replace({mine.data(), n, int_type(), left, 3},
                                     {mine.data(), n, int_type(), right, 3}, comm, &request));
            ok(wait(request, &status));
            EXPECT_EQ(mine, pattern(count, comm.rank));
            EXPECT_EQ(status_bytes(status), static_cast<Count>(count * sizeof(int)));
            ok(isend_receive({mine.data(), n, int_type(), right, 4},
                             {got.data(), n, int_type(), left, 4}, comm, &request));
            ok(wait_all(1, &request, MPI_STATUSES_IGNORE));
            EXPECT_EQ(got, pattern(count, left));
        }
    });
}

TEST_P(Pt2pt, AFreedPendingRequestIsStillDelivered) {
    run(2, [](Communicator &comm) {
        static std::vector<int> data; // outlives the call, as the standard demands
        if (comm.rank == 0) {
            data = pattern(100000, 8);
            MPI_Request request;
            ok(isend(data.data(), 100000, int_type(), 1, 0, comm, SendMode::Standard, &request));
            ok(abandon_request(*request));
        } else {
            EXPECT_EQ(receive_ints(100000, 0, 0, comm), pattern(100000, 8));
        }
    });
}

TEST_P(Pt2pt, AGeneralizedRequestCompletesWhenTheProgramSaysSo) {
    static std::atomic<MPI_Request> shared;
    static std::atomic<int> freed;
    shared = nullptr;
    freed = 0;
    run(2, [](Communicator &comm) {
        if (comm.rank == 1) {
            while (!shared.load())
                yield();
            ok(complete_generalized(static_cast<GeneralizedRequest &>(*shared.load())));
            return;
        }
        int state = 77;
        MPI_Request request = start_generalized(
            [](void *extra, MPI_Status *status) {
                status->MPI_TAG = *static_cast<int *>(extra);
                return MPI_SUCCESS;
            },
            [](void *) { return ++freed, MPI_SUCCESS; }, [](void *, int) { return MPI_SUCCESS; },
            &state);
        shared = request;
        MPI_Status status;
        ok(wait(request, &status));
        EXPECT_EQ(status.MPI_TAG, 77);
        EXPECT_EQ(request, MPI_REQUEST_NULL);
        while (freed.load() == 0)
            yield();
    });
    EXPECT_EQ(freed.load(), 1);
}

// Tasks of one worker take turns only when they wait or yield.
TEST(FlowControl, AReceiverThatFallsBehindGetsItsTurnBeforeItsQueueIsLong) {
    size_t longest = 0;
    run_processes(2,
                  [&](Process &process) {
                      Communicator &comm = *process.world;
                      for (int i = 0; i < 10000; ++i) {
                          if (comm.rank == 0) {
                              send_ints({i}, 1, 0, comm);
                          } else {
                              longest = std::max(longest, process.mailbox.unexpected.size());
                              ASSERT_EQ(receive_ints(1, 0, 0, comm)[0], i);
                          }
                      }
                  },
                  {.workers = 1});
    EXPECT_GT(longest, 1u);
    EXPECT_LE(longest, 256u);
}

INSTANTIATE_TEST_SUITE_P(On, Pt2pt, thrum::testing::each_layer(), thrum::testing::name_of_layer);
