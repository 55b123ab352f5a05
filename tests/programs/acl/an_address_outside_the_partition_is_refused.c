// ranks: 4
// exit: nonzero
// expect: ^thrum: rank 2: acl_send: dest is 4, but the partition has addresses 0 to 3
// expect: \(at .*an_address_outside_the_partition_is_refused.c:12 in main\)
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    int value = 0;
    // The others wait in acl_end.
    if (acl_self_address() == 2)
        acl_send(4, &value, sizeof value);
    acl_end();
    return 0;
}
