// ranks: 2
// exit: nonzero
// expect: ^thrum: rank 1: acl_receive: source is 1, the caller itself: this would deadlock .*
// expect: \(at .*a_message_to_oneself_is_refused.c:12 in main\)
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    int value = 0;

    if (acl_self_address() == 1)
        acl_receive(1, &value, sizeof value);
    acl_end();
    return 0;
}
