// ranks: 1 2
// exit: nonzero
// expect: ^thrum: rank [01]: acl_partition_size: called before acl_begin or after acl_end
// expect: \(at .*a_call_outside_begin_and_end_is_refused.c:10 in main\)
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    acl_end();
    return acl_partition_size();
}
