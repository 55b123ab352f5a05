// BSPlib: bsp_set_tagsize takes effect with the next superstep and returns the size before;
// messages are in the queue of the next superstep and in that only; bsp_hpmove gives pointers to
// them.
// ranks: 1 3 8
#include "check.h"

#include <string.h>
#include <thrum/bsp.h>

static void expect_queue(int messages, int bytes) {
    int n = -1, size = -1;
    bsp_qsize(&n, &size);
    CHECK_EQUAL(n, messages);
    CHECK_EQUAL(size, bytes);
}

int main(void) {
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), me = bsp_pid(), size = sizeof(int), status;
    bsp_set_tagsize(&size);
    CHECK_EQUAL(size, 0);
    bsp_send(me, NULL, "x", 1); // still without a tag
    bsp_sync();
    expect_queue(1, 1);
    bsp_get_tag(&status, NULL);
    CHECK_EQUAL(status, 1);

    // To everybody as many bytes as the receiver's number, tagged with the sender's.
    char text[] = "abcdefgh";
    for (int to = 0; to < p; ++to)
        bsp_send(to, &me, text, to);
    bsp_sync_count(p);
    expect_queue(p, p * me);
    unsigned seen = 0;
    for (int i = 0; i < p; ++i) {
        int tag = -1;
        char payload[8] = "";
        bsp_get_tag(&status, &tag);
        CHECK_EQUAL(status, me);
        seen |= 1u << tag;
        if (i % 2) {
            void *tag_place, *payload_place;
            CHECK_EQUAL(bsp_hpmove(&tag_place, &payload_place), me);
            CHECK_EQUAL(*(int *)tag_place, tag);
            CHECK(memcmp(payload_place, text, (size_t)me) == 0);
        } else {
            bsp_move(payload, sizeof payload);
            CHECK(memcmp(payload, text, (size_t)me) == 0);
        }
        expect_queue(p - 1 - i, (p - 1 - i) * me);
    }
    CHECK_EQUAL(seen, (1u << p) - 1);
    bsp_get_tag(&status, NULL);
    CHECK_EQUAL(status, -1);
    void *nothing;
    CHECK_EQUAL(bsp_hpmove(&nothing, &nothing), -1);

    // Messages that nobody takes are gone one superstep later.
    bsp_send(me, &me, text, 3);
    bsp_sync();
    expect_queue(1, 3);
    size = 0;
    bsp_set_tagsize(&size);
    CHECK_EQUAL(size, (int)sizeof(int));
    bsp_sync();
    expect_queue(0, 0);
    bsp_end();
    return 0;
}
