// The paper, section 4.3: a handler "will be executed on logical node node synchronously, at
// user-level, at the time of synchronization on node, after the accompanying data have been written
// to their destination"; with a NULL destination it "is passed the address of the data in the
// receive buffer". Here all data of the superstep are in place before any handler runs, and what a
// handler sends belongs to the superstep that begins.
// ranks: 1 2 7
#include "check.h"

#include <string.h>
#include <thrum/bsp.h>

enum { max = 8 };

static int cells[max], handled, sources, answers, kept_source;
static const int *kept;

static void check_all_cells(int source, void *destination, int nbytes) {
    CHECK_EQUAL(nbytes, sizeof(int));
    CHECK(destination == &cells[source]);
    for (int i = 0; i < bsp_nprocs(); ++i)
        CHECK_EQUAL(cells[i], 100 + i);
    ++handled;
}

static void count_answer(int source, void *destination, int nbytes) {
    CHECK_EQUAL(nbytes, 0);
    answers += source + 1;
}

// Looks at the data where they are, keeps them for the superstep, and answers.
static void look(int source, void *data, int nbytes) {
    const int *numbers = data;
    CHECK_EQUAL(nbytes, 3 * sizeof(int));
    CHECK(((size_t)data & 15) == 0);
    for (int i = 0; i < 3; ++i)
        CHECK_EQUAL(numbers[i], source * 10 + i);
    sources |= 1 << source;
    kept = numbers;
    kept_source = source;
    cbsp_send(source, NULL, NULL, 0, count_answer);
}

int main(void) {
    cbsp_initialize();
    int p = bsp_nprocs(), me = bsp_pid(), value = 100 + me;
    for (int global = 0; global < 2; ++global) {
        memset(cells, 0, sizeof cells);
        handled = sources = answers = 0;
        for (int to = 0; to < p; ++to)
            cbsp_send(to, &cells[me], &value, sizeof value, check_all_cells);
        global ? cbsp_gsync() : cbsp_nsync(p);
        CHECK_EQUAL(handled, p);

        int numbers[3] = {me * 10, me * 10 + 1, me * 10 + 2};
        for (int to = 0; to < p; ++to)
            cbsp_send(to, NULL, numbers, sizeof numbers, look);
        global ? cbsp_gsync() : cbsp_nsync(p);
        CHECK_EQUAL(sources, (1 << p) - 1);
        CHECK_EQUAL(answers, 0);
        CHECK_EQUAL(kept[2], kept_source * 10 + 2); // until the end of this superstep
        global ? cbsp_gsync() : cbsp_nsync(p);
        CHECK_EQUAL(answers, p * (p + 1) / 2);
    }
    cbsp_gsync();
    bsp_end();
    return 0;
}
