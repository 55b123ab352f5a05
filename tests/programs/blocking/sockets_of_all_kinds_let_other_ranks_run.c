// ranks: 2 8
// timeout: 60
// A pair talks over TCP (listen, accept, connect), a stream and a datagram socket pair; with short
// messages, with ones that fill the socket, and with messages that carry a descriptor.
#define _GNU_SOURCE
#include "pairs.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BLOCK_BYTES = 3 << 20 };

static char block[BLOCK_BYTES];

static void ping_pong(int socket) {
    for (int round = 0; round < ROUNDS; ++round) {
        int number = -1;
        if (is_first) {
            CHECK_EQUAL(recv(socket, &number, sizeof number, 0), sizeof number);
            CHECK_EQUAL(number, round);
            CHECK_EQUAL(send(socket, &number, sizeof number, 0), sizeof number);
        } else {
            CHECK_EQUAL(write(socket, &round, sizeof round), sizeof round);
            CHECK_EQUAL(recvfrom(socket, &number, sizeof number, 0, NULL, NULL), sizeof number);
            CHECK_EQUAL(number, round);
        }
    }
}

static void large_blocks(int socket) {
    for (int round = 0; round < 2; ++round)
        if ((round == 0) == is_first) {
            memset(block, 'a' + round, sizeof block);
            CHECK_EQUAL(send(socket, block, sizeof block, MSG_NOSIGNAL), sizeof block);
            struct iovec pieces[2] = {{block, 100}, {block, sizeof block - 100}};
            struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
            CHECK_EQUAL(sendmsg(socket, &message, 0), sizeof block);
        } else {
            for (int times = 0; times < 2; ++times) {
                CHECK_EQUAL(recv(socket, block, sizeof block, MSG_WAITALL), sizeof block);
                CHECK_EQUAL(block[0], 'a' + round);
                CHECK_EQUAL(block[sizeof block - 1], 'a' + round);
            }
        }
}

static void pass_a_descriptor(int socket) {
    char control[CMSG_SPACE(sizeof(int))];
    memset(control, 0, sizeof control);
    char byte = 'd';
    struct iovec piece = {&byte, 1};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    if (is_first) {
        CHECK_EQUAL(recvmsg(socket, &message, 0), 1);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        CHECK(header != NULL);
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
        CHECK_EQUAL(close(descriptor), 0);
    } else {
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        int descriptor = STDIN_FILENO;
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
        CHECK_EQUAL(sendmsg(socket, &message, 0), 1);
    }
}

static int tcp_connection(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t address_bytes = sizeof address;
    int port = 0;
    if (is_first) {
        int listener = socket(AF_INET, SOCK_STREAM, 0);
        CHECK_EQUAL(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
        CHECK_EQUAL(listen(listener, 1), 0);
        CHECK_EQUAL(getsockname(listener, (struct sockaddr *)&address, &address_bytes), 0);
        port = ntohs(address.sin_port);
        share(&port, 1);
        int connection = accept(listener, NULL, NULL);
        CHECK(connection >= 0);
        close(listener);
        return connection;
    }
    share(&port, 1);
    address.sin_port = htons((uint16_t)port);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_EQUAL(connect(connection, (struct sockaddr *)&address, sizeof address), 0);
    return connection;
}

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    int connection = tcp_connection();
    ping_pong(connection);
    large_blocks(connection);
    int pair[4];
    if (is_first) {
        CHECK_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        CHECK_EQUAL(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair + 2), 0);
    }
    share(pair, 4);
    ping_pong(pair[!is_first]);
    large_blocks(pair[!is_first]);
    pass_a_descriptor(pair[!is_first]);
    ping_pong(pair[2 + !is_first]);

    // MSG_DONTWAIT in a loop lets the other run.
    char byte = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_first) {
        while (recv(connection, &byte, 1, MSG_DONTWAIT) < 0)
            CHECK_EQUAL(errno, EAGAIN);
        CHECK_EQUAL(byte, 'z');
    } else {
        CHECK_EQUAL(send(connection, "z", 1, 0), 1);
    }
    close(connection);
    return finish();
}
