// __thread and _Thread_local: initialised, zero, of another file, of a library, holding addresses;
// in a rank's first thread and in a thread that it makes.
// ranks: 8 64
// with: thread_locals_other.c
// library: thread_locals_library.c
#include "torture.h"

#include <pthread.h>
#include <string.h>

int target = 30;
__thread int initialised = 5;
static _Thread_local int zero;
extern __thread int of_other_file, of_library;
extern __thread int *pointer_of_library;

static __thread struct {
    int a;
    char text[40];
} both = {3, "abc"};

static __thread int *pointer = &target;
static __thread char large[3000];
int *address_of_other(void), *address_of_hidden(void), *address_of_library(void);
int library_target(void);

static int next(void) {
    static __thread int calls = 100;
    return ++calls;
}

static int is_fresh(void) {
    return initialised == 5 && zero == 0 && of_other_file == 9 && of_library == 12 && both.a == 3 &&
           !strcmp(both.text, "abc") && pointer == &target && large[2999] == 0 && next() == 101 &&
           *address_of_hidden() == 3 && address_of_library() == &of_library;
}

static void *another_thread(void *rank) {
    if (!is_fresh() || *pointer != 30 + *(int *)rank || *pointer_of_library != 70 + *(int *)rank)
        return rank;
    initialised = zero = of_other_file = of_library = -1;
    *address_of_hidden() = -1;
    return 0;
}

int main(int argc, char **argv) {
    CHECK(is_fresh() && *pointer_of_library == 70);
    int rank = start(&argc, &argv);
    target += rank, *pointer_of_library += rank;
    pthread_t thread;
    void *failed = argv;
    CHECK(!pthread_create(&thread, 0, another_thread, &rank) && !pthread_join(thread, &failed) &&
          !failed);
    int *address = &initialised;
    for (int i = 1; i < 4; ++i) {
        initialised += rank, ++zero, of_other_file += rank, both.a += rank, of_library += rank;
        both.text[i] = (char)('0' + rank), large[2999] = (char)rank, *address_of_hidden() += rank;
        let_others_run();
        CHECK(initialised == 5 + i * rank && address == &initialised && zero == i);
        CHECK(of_other_file == 9 + i * rank && address_of_other() == &of_other_file);
        CHECK_EQUAL(*address_of_library(), 12 + i * rank);
        CHECK(both.a == 3 + i * rank && both.text[i] == (char)('0' + rank) && large[2999] == rank);
        CHECK_EQUAL(*address_of_hidden(), 3 + i * rank);
        CHECK_EQUAL(next(), 101 + i);
    }
    CHECK_EQUAL(library_target(), 70 + rank);
    return finish();
}
