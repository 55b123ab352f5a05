#include "comm/ports.h"
#include "comm/testing.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

std::string the_port;

void exchange(void *acceptor, void *connector) {
    std::swap(*static_cast<int *>(acceptor), *static_cast<int *>(connector));
}

TEST(Ports, EachConnectorMeetsOneAcceptor) {
    for (bool os_threads : {false, true}) {
        the_port = open_port();
        run_processes(8,
                      [](Process &process) {
                          auto side = process.number % 2 ? PortSide::Connect : PortSide::Accept;
                          for (int round = 0; round < 20; ++round) {
                              int value = process.number;
                              EXPECT_FALSE(meet_at_port(the_port.c_str(), side, &value, exchange));
                              EXPECT_NE(value % 2,
                                        process.number % 2); // somebody of the other side
                          }
                      },
                      {.workers = 2, .os_threads = os_threads});
        EXPECT_FALSE(close_port(the_port.c_str()));
    }
}

TEST(Ports, NamesAreDifferentAndAreGoneWhenClosed) {
    std::string first = open_port(), second = open_port();
    EXPECT_NE(first, second);
    EXPECT_FALSE(close_port(first.c_str()));
    EXPECT_EQ(close_port(first.c_str()).code(), MPI_ERR_PORT);
    int value = 0;
    EXPECT_EQ(meet_at_port(first.c_str(), PortSide::Connect, &value, exchange).code(),
              MPI_ERR_PORT);
    EXPECT_FALSE(close_port(second.c_str()));
}

TEST(Ports, AServiceIsPublishedOnceAndFoundUntilItIsUnpublished) {
    std::string port = open_port(), found;
    EXPECT_EQ(look_up_name("ocean", found).code(), MPI_ERR_NAME);
    EXPECT_EQ(publish_name("ocean", "no port").code(), MPI_ERR_PORT);
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
