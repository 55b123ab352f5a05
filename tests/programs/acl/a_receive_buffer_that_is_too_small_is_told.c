// ranks: 2
// exit: nonzero
// expect: ^thrum: rank 1: acl_receive: the message from rank 0 has 12 bytes, but the receive buffer only 8
// expect: \(at .*a_receive_buffer_that_is_too_small_is_told.c:14 in main\)
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    int data[3] = {1, 2, 3};

    if (acl_self_address() == 0)
        acl_send(1, data, sizeof data);
    else
        acl_receive(0, data, 8);
    acl_end();
    return 0;
}
