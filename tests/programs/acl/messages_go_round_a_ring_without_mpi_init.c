// ACLMPL without a word of MPI: acl_begin and acl_end stand for MPI_Init and MPI_Finalize, and may
// be followed by another acl_begin if the program has called MPI_Init itself.
// ranks: 1 2 5 64
#include <stdio.h>
#include <stdlib.h>
#include <thrum/acl.h>

static void check(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "rank %d: %s\n", acl_self_address(), what);
        abort();
    }
}

int main(void) {
    acl_begin();
    int self = acl_self_address(), size = acl_partition_size(), token = -1;
    check(self >= 0 && self < size, "the address lies in the partition");
    if (size == 1) {
        token = 0;
    } else if (self == 0) {
        token = 0;
        acl_send(1, &token, sizeof token);
        check(acl_receive(size - 1, &token, sizeof token) == sizeof token, "length of the token");
    } else {
        check(acl_receive(self - 1, &token, sizeof token) == sizeof token, "length of the token");
        ++token;
        acl_send((self + 1) % size, &token, sizeof token);
    }
    check(token == (self == 0 ? size - 1 : self), "the token has been counted up by each rank");
    acl_end();
    return 0;
}
