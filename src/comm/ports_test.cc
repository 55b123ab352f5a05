#include "base/spinlock.h"
#include "comm/ports.h"
#include "comm/testing/processes.h"

#include <gtest/gtest.h>
#include <map>

namespace thrum {
namespace {

std::string the_port;
SpinLock meetings_lock;
std::map<std::string, int> meetings; // how many came from each

TEST(Ports, EachConnectorMeetsOneAcceptor) {
    for (bool os_threads : {false, true}) {
        the_port = open_port();
        meetings.clear();
        run_processes(8,
                      [](Process &process) {
                          auto side = process.number % 2 ? PortSide::Connect : PortSide::Accept;
                          for (int round = 0; round < 20; ++round) {
                              PortMeeting meeting;
                              EXPECT_FALSE(meet_at_port(the_port.c_str(), side, -1, meeting));
                              EXPECT_EQ(meeting.acceptor % 2, 0);
                              EXPECT_EQ(meeting.connector % 2, 1);
                              EXPECT_EQ(side == PortSide::Accept ? meeting.acceptor
                                                                 : meeting.connector,
                                        process.number);
                              LockGuard guard(meetings_lock);
                              ++meetings[meeting.name];
                          }
                      },
                      {.workers = 2, .os_threads = os_threads});
        EXPECT_EQ(meetings.size(), 80u);
        for (const auto &[name, visitors] : meetings)
            EXPECT_EQ(visitors, 2) << name;
        EXPECT_FALSE(close_port(the_port.c_str()));
    }
}

TEST(Ports, NamesAreDifferentAndAreGoneWhenClosed) {
    std::string first = open_port(), second = open_port();
    EXPECT_NE(first, second);
    EXPECT_FALSE(close_port(first.c_str()));
    EXPECT_EQ(close_port(first.c_str()).code(), MPI_ERR_PORT);
    run_processes(1, [](Process &) {
        PortMeeting meeting;
        EXPECT_EQ(meet_at_port("thrum:no:port", PortSide::Connect, -1, meeting).code(),
                  MPI_ERR_PORT);
    });
    EXPECT_FALSE(close_port(second.c_str()));
}

TEST(Ports, AVisitorGoesWhenItsTimeIsUp) {
    for (bool os_threads : {false, true}) {
        const std::string port = open_port();
        run_processes(3,
                      [&](Process &process) {
                          PortMeeting meeting;
                          if (process.number == 0)
                              return;
                          Error error = meet_at_port(port.c_str(), PortSide::Connect,
                                                     process.number * 0.05, meeting);
                          EXPECT_EQ(error.code(), MPI_ERR_PORT);
                      },
                      {.workers = 2, .os_threads = os_threads});
        run_processes(2,
                      [&](Process &process) { // nobody is left there
                          PortMeeting meeting;
                          auto side = process.number % 2 ? PortSide::Connect : PortSide::Accept;
                          EXPECT_FALSE(meet_at_port(port.c_str(), side, 20, meeting));
                          EXPECT_EQ(meeting.connector, 1);
                      },
                      {.workers = 2, .os_threads = os_threads});
        EXPECT_FALSE(close_port(port.c_str()));
    }
}

TEST(Ports, AServiceIsPublishedOnceAndFoundUntilItIsUnpublished) {
    std::string port = open_port(), found;
    EXPECT_EQ(look_up_name("ocean", found).code(), MPI_ERR_NAME);
    EXPECT_FALSE(may_be_port("no port"));
    EXPECT_TRUE(may_be_port(port.c_str()));
    EXPECT_FALSE(publish_name("ocean", port.c_str()));
    EXPECT_EQ(publish_name("ocean", port.c_str()).code(), MPI_ERR_SERVICE);
    EXPECT_FALSE(look_up_name("ocean", found));
    EXPECT_EQ(found, port);
    EXPECT_EQ(unpublish_name("ocean", "another").code(), MPI_ERR_SERVICE);
    EXPECT_FALSE(unpublish_name("ocean", port.c_str()));
    EXPECT_EQ(unpublish_name("ocean", port.c_str()).code(), MPI_ERR_SERVICE);
    EXPECT_FALSE(close_port(port.c_str()));
}

} // namespace
} // namespace thrum
