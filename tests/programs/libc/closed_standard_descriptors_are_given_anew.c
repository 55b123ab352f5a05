// ranks: 1 8
// args: < /etc/passwd
// expect: ^all ranks still print$
// POSIX: open() and its kin give the lowest free descriptor. A rank that has closed 0, 1 or 2 gets
// these, and what it opens so concerns no other rank.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank;
static char path[64];

static void make_file(const char *text) {
    int file = open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
    CHECK(file > 2); // none of the three is free
    CHECK_EQUAL(write(file, text, strlen(text)), strlen(text));
    CHECK_EQUAL(close(file), 0);
}

static void file_as_standard_input(void) {
    char line[64], expected[64];
    snprintf(expected, sizeof expected, "file of rank %d\n", rank);
    make_file(expected);
    CHECK_EQUAL(close(0), 0);
    CHECK_EQUAL(open(path, O_RDWR), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(fgets(line, sizeof line, stdin) != NULL);
    CHECK(!strcmp(line, expected));
    CHECK_EQUAL(lseek(0, 0, SEEK_SET), 0);
    CHECK_EQUAL(pwrite(0, "FILE", 4, 0), 4);
    CHECK_EQUAL(write(0, "FILE OF", 7), 7);
    struct stat of_path, of_descriptor;
    CHECK_EQUAL(stat(path, &of_path), 0);
    CHECK_EQUAL(fstat(0, &of_descriptor), 0);
    CHECK_EQUAL(of_descriptor.st_ino, of_path.st_ino);
    char *mapped = mmap(NULL, 8, PROT_READ, MAP_PRIVATE, 0, 0);
    CHECK(mapped != MAP_FAILED && !memcmp(mapped, "FILE OF ", 8));
    munmap(mapped, 8);
    // A child has it, too.
    CHECK_EQUAL(lseek(0, 0, SEEK_SET), 0);
    CHECK_EQUAL(system("read word rest && test \"$word\" = FILE"), 0);
    CHECK_EQUAL(close(0), 0);
    CHECK_EQUAL(close(0), -1);
    CHECK_EQUAL(errno, EBADF);
    unlink(path);
}

static void other_calls_that_open(void) {
    int ends[2], saved;
    CHECK_EQUAL(pipe(ends), 0);
    CHECK_EQUAL(ends[0], 0);
    CHECK(ends[1] > 2);
    CHECK_EQUAL(write(ends[1], "p", 1), 1);
    char byte = 0;
    CHECK_EQUAL(read(0, &byte, 1), 1);
    CHECK_EQUAL(byte, 'p');
    close(ends[1]);
    CHECK_EQUAL(read(0, &byte, 1), 0); // the end of the pipe
    saved = dup(1);
    CHECK(saved > 2);
    CHECK_EQUAL(close(0), 0);
    CHECK_EQUAL(close(1), 0);
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    CHECK_EQUAL(ends[0], 0);
    CHECK_EQUAL(ends[1], 1);
    CHECK_EQUAL(send(1, "s", 1, 0), 1);
    CHECK_EQUAL(recv(0, &byte, 1, 0), 1);
    CHECK_EQUAL(byte, 's');
    int type = 0;
    socklen_t type_bytes = sizeof type;
    CHECK_EQUAL(getsockopt(0, SOL_SOCKET, SO_TYPE, &type, &type_bytes), 0);
    CHECK_EQUAL(type, SOCK_STREAM);
    printf("s"); // goes where 1 goes now
    CHECK_EQUAL(fflush(stdout), 0);
    CHECK_EQUAL(read(0, &byte, 1), 1);
    CHECK_EQUAL(byte, 's');
    CHECK_EQUAL(close(0), 0);
    CHECK_EQUAL(socket(AF_UNIX, SOCK_DGRAM, 0), 0);
    CHECK_EQUAL(close(0), 0);
    CHECK_EQUAL(dup(saved), 0);
    CHECK_EQUAL(close(0), 0);
    CHECK_EQUAL(fcntl(saved, F_DUPFD, 0), 0);
    CHECK(fcntl(saved, F_DUPFD, 5) >= 5);
    CHECK_EQUAL(close(0), 0);
    CHECK_EQUAL(epoll_create1(0), 0);
    struct epoll_event event = {.events = EPOLLOUT, .data.fd = 1};
    CHECK_EQUAL(epoll_ctl(0, EPOLL_CTL_ADD, saved, &event) == 0 || errno == EPERM, 1);
    CHECK_EQUAL(close(0), 0);
    int copy = memfd_create("memory", 0);
    CHECK_EQUAL(copy, 0);
    CHECK_EQUAL(ftruncate(0, 77), 0);
    CHECK_EQUAL(lseek(0, 0, SEEK_END), 77);
    CHECK_EQUAL(dup2(saved, 1), 1);
    close(saved);
}

static void in_a_child(void) {
    pid_t child = fork();
    if (child == 0) {
        close(0);
        _exit(open("/dev/null", O_RDONLY) == 0 ? 5 : 6);
    }
    int status = 0;
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(WEXITSTATUS(status), 5);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "/tmp/thrum-lowest-%d-%d", (int)getpid(), rank);
    if (rank % 2 == 0) {
        file_as_standard_input();
        other_calls_that_open();
        in_a_child();
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 100; ++i) {
            int file = open("/dev/null", O_RDONLY);
            CHECK(file > 2);
            close(file);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all ranks still print\n");
    MPI_Finalize();
    return 0;
}
