// What does not work yet is refused, and does not hang.
// ranks: 2
// options: --processes
// modes: fibers-1
// exit: nonzero
// expect: rank [01]: acl_begin: the ranks of the job are in 2 processes of the operating system
#include <thrum/acl.h>

int main(void) {
    acl_begin();
    acl_end();
    return 0;
}
