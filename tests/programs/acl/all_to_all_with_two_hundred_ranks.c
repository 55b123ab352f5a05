// Synchronous messages between all pairs of a partition (the paper's case "all-to-all"), where each
// rank computes its partners so that pairs meet; then an asynchronous message to each other rank.
// ranks: 200
// timeout: 120
#include <stdio.h>
#include <stdlib.h>
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    int self = acl_self_address(), size = acl_partition_size();
    for (int step = 1; step < size; step++) {
        int dest = (self + step) % size, source = (self + size - step) % size;
        int out[2] = {self, dest}, in[2] = {-1, -1};
        acl_async_send(dest, step, out, sizeof out);
        acl_send_and_receive(dest, out, sizeof out, source, in, sizeof in);
        if (in[0] != source || in[1] != self)
            abort();
    }
    for (int step = 1; step < size; step++) {
        int in[2] = {-1, -1}, source = (self + size - step) % size;
        acl_async_receive_block(ACL_ANY, step, in, sizeof in, NULL);
        if (in[0] != source || in[1] != self)
            abort();
    }
    acl_end();
    return 0;
}
