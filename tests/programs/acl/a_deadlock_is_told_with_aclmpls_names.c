// Three ranks in a ring, each in acl_send to the next: nobody receives.
// ranks: 3
// exit: 86
// expect: ^thrum: DEADLOCK: all 3 ranks are blocked
// expect: rank 0: acl_send, waiting to send 4 bytes to rank 1, at .*a_deadlock_is_told_with_aclmpls_names.c:15 in main
// expect: 3 ranks wait for each other in a cycle: 0 -> 1 -> 2 -> 0
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    int value = 0, size = acl_partition_size();
    // A receive would have to come first somewhere, or acl_send_and_receive.
    int next = (acl_self_address() + 1) % size;

    acl_send(next, &value, sizeof value);
    acl_receive((acl_self_address() + size - 1) % size, &value, sizeof value);
    acl_end();
    return 0;
}
