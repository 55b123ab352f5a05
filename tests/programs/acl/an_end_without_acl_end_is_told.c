// ranks: 2
// exit: nonzero
// expect: ^thrum: rank [01] ended with exit code 0 without calling acl_end
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    return 0;
}
