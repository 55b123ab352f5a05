// Counts the ranks of a test program for run_program.sh: each rank adds a line with its exit code
// to the file $THRUM_TEST_RANKS when its exit handlers run. _exit(), abort() and signals leave them
// out.
//
// The compiler includes this before the first line of a program (tests/CMakeLists.txt), so it may
// not include headers: a program's own feature macros come later. Shared libraries are not counted.
#if !defined(THRUM_TESTS_RANK_ENDS_H) && (defined(__PIE__) || !defined(__PIC__))
#define THRUM_TESTS_RANK_ENDS_H

#ifdef __cplusplus
extern "C" {
char *getenv(const char *) noexcept;
int on_exit(void (*)(int, void *), void *) noexcept;
long syscall(long, ...) noexcept;
#else
char *getenv(const char *);
int on_exit(void (*)(int, void *), void *);
long syscall(long, ...);
#endif

enum { thrum_test_write = 1, thrum_test_open = 2, thrum_test_close = 3, thrum_test_getpid = 39 };

static char thrum_test_ranks[512]; // the file's name
static long thrum_test_process;    // a forked child is no rank

static void thrum_test_end(int code, void *unused) {
    (void)unused;
    if (syscall(thrum_test_getpid) != thrum_test_process)
        return;
    long descriptor = syscall(thrum_test_open, thrum_test_ranks, 02001, 0); // O_WRONLY | O_APPEND
    if (descriptor < 0)
        return;
    syscall(thrum_test_write, descriptor, code == 0 ? "well\n" : "ill!\n", 5L);
    syscall(thrum_test_close, descriptor);
}

// Reads the variable early: the program may change its environment. The handler that is registered
// first runs last.
__attribute__((constructor)) static void thrum_test_begin(void) {
    const char *name = getenv("THRUM_TEST_RANKS");
    unsigned long length = name ? __builtin_strlen(name) : 0;
    if (length == 0 || length >= sizeof thrum_test_ranks)
        return;
    __builtin_memcpy(thrum_test_ranks, name, length + 1);
    thrum_test_process = syscall(thrum_test_getpid);
    on_exit(thrum_test_end, (void *)0);
}

#ifdef __cplusplus
}
#endif
#endif
