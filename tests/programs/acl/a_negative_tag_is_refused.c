// ranks: 1
// exit: nonzero
// expect: ^thrum: rank 0: acl_async_send: tag is -2, but must be 0 or more
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    acl_async_send(0, -2, NULL, 0);
    acl_end();
    return 0;
}
