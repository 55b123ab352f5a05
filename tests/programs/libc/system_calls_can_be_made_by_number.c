// ranks: 2 8
// syscall(2): with any number of arguments, from a small frame too (AddressSanitizer fences the
// array below); a thread that waits with it lets the other threads and ranks run.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int gate;

static void *open_gate(void *unused) {
    (void)unused;
    MPI_Barrier(MPI_COMM_WORLD);
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &gate, FUTEX_WAKE, 1);
    return NULL;
}

__attribute__((noinline)) static int own_pid(char *(*use)(char *)) {
    char fenced[1];
    use(fenced);
    return (int)syscall(SYS_getpid);
}

static char *unchanged(char *array) {
    return array;
}

int main(int argc, char **argv) {
    int provided;
    char magic[4];
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK_EQUAL(own_pid(unchanged), getpid());
    int file = open("/proc/self/exe", O_RDONLY);
    CHECK(file >= 0);
    CHECK_EQUAL(syscall(SYS_pread64, file, magic, 4L, 0L), 4);
    CHECK_EQUAL(memcmp(magic, "\177ELF", 4), 0);
    char *page =
        (char *)syscall(SYS_mmap, NULL, 4096L, (long)PROT_READ, (long)MAP_PRIVATE, (long)file, 0L);
    CHECK_EQUAL(memcmp(page, "\177ELF", 4), 0);
    CHECK_EQUAL(syscall(SYS_munmap, page, 4096L), 0);
    CHECK_EQUAL(syscall(SYS_close, file), 0);
    CHECK_EQUAL(syscall(SYS_close, -1), -1);
    CHECK_EQUAL(errno, EBADF);
    CHECK_EQUAL(pthread_create(&thread, NULL, open_gate, NULL), 0);
    while (!__atomic_load_n(&gate, __ATOMIC_ACQUIRE))
        syscall(SYS_futex, &gate, FUTEX_WAIT, 0, NULL);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    MPI_Finalize();
    return 0;
}
