// Synchronous messages from nothing to a megabyte, with the receiver waiting already and with the
// sender waiting already; in one direction, in both, and around a ring. A send returns when its
// receive has come: what the receiver writes into its own buffer before is not what arrives.
// ranks: 2 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thrum/acl.h>
#include <unistd.h>

static const size_t sizes[] = {0, 1, 8, 144, 1000, 4096, 4097, 70000, 1 << 20};

enum { SIZES = sizeof sizes / sizeof *sizes };

static char *out, *in;

static void fill(char *data, size_t bytes, int key) {
    for (size_t i = 0; i < bytes; i++)
        data[i] = (char)(key + (int)(i % 251));
}

static void check(size_t bytes, size_t received, int key, const char *what) {
    if (received != bytes) {
        printf("%s: %zu bytes instead of %zu\n", what, received, bytes);
        abort();
    }
    for (size_t i = 0; i < bytes; i++)
        if (in[i] != (char)(key + (int)(i % 251))) {
            printf("%s of %zu bytes: byte %zu is wrong\n", what, bytes, i);
            abort();
        }
    if (in[bytes] != 99) {
        printf("%s of %zu bytes: one more was written\n", what, bytes);
        abort();
    }
}

static void one_way(size_t bytes, int key, int late) {
    int self = acl_self_address();
    if (self == late)
        usleep(5000);
    if (self == 0) {
        fill(out, bytes, key);
        acl_send(1, out, bytes);
        fill(out, bytes, -1); // is the sender's again
    } else if (self == 1) {
        memset(in, 99, bytes + 1);
        check(bytes, acl_receive(0, in, bytes + 1), key, "one way");
    }
}

static void around(size_t bytes, int key) {
    int self = acl_self_address(), size = acl_partition_size();
    int dest = (self + 1) % size, source = (self + size - 1) % size;
    fill(out, bytes, key + self);
    memset(in, 99, bytes + 1);
    check(bytes, acl_send_and_receive(dest, out, bytes, source, in, bytes + 1), key + source,
          "around");
}

int main(void) {
    acl_begin();
    out = malloc((1 << 20) + 1);
    in = malloc((1 << 20) + 1);
    for (int s = 0; s < SIZES; s++)
        for (int turn = 0; turn < 4; turn++) {
            one_way(sizes[s], turn, turn % 2);
            around(sizes[s], turn);
        }
    free(out);
    free(in);
    acl_end();
    return 0;
}
