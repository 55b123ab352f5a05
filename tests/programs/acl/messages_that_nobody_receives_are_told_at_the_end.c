// ranks: 3
// exit: nonzero
// expect: ^thrum: rank 2: acl_end: 1 asynchronous message was sent to this rank
// expect: that it has not received; the oldest is from rank 0, tag 5, 4 bytes
// expect: \(at .*messages_that_nobody_receives_are_told_at_the_end.c:13 in main\)
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    int value = 1;
    if (acl_self_address() == 0)
        acl_async_send(2, 5, &value, sizeof value);
    acl_end();
    return 0;
}
