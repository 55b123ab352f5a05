// ranks: 2
// exit: nonzero
// expect: ^thrum: rank 1: acl_broadcast: PEs disagree on the size of the data
// expect: data: rank 0 has 8 bytes where the caller has 16
// expect: \(at .*sizes_of_a_broadcast_that_differ_are_told.c:11 in main\)
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    char data[16] = {0};
    acl_broadcast(0, data, acl_self_address() == 0 ? 8 : 16);
    acl_end();
    return 0;
}
