// ranks: 2
// exit: nonzero
// expect: ^thrum: rank 1: acl_async_receive_block: the message from rank 0, tag 3, has 12 bytes
// expect: has 12 bytes, but the receive buffer only 8
// expect: \(at .*an_asynchronous_buffer_that_is_too_small_is_told.c:14 in main\)
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    int data[3] = {1, 2, 3};
    if (acl_self_address() == 0)
        acl_async_send(1, 3, data, sizeof data);
    else
        acl_async_receive_block(ACL_ANY, ACL_ANY, data, 8, NULL);
    acl_end();
    return 0;
}
