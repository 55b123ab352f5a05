// ACLMPL section 4.2: "The two receives differ in that the first returns immediately if a message
// is not available. The other will block until a message has been received." A rank that asks in a
// loop lets the others run, also on one worker.
// ranks: 2 9
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thrum/acl.h>

static void check(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "rank %d: %s\n", acl_self_address(), what);
        abort();
    }
}

int main(void) {
    acl_begin();
    int self = acl_self_address(), size = acl_partition_size();
    char text[64];
    acl_message message;
    if (self == 0) {
        int missing = size - 1;
        long misses = 0;
        while (missing > 0) {
            if (!acl_async_receive(ACL_ANY, 7, text, sizeof text, &message)) {
                misses++;
                continue;
            }
            char expected[64];
            snprintf(expected, sizeof expected, "from rank %d", message.source);
            check(message.tag == 7 && message.bytes == strlen(expected) + 1, "envelope");
            check(!strcmp(text, expected), "text");
            missing--;
        }
        check(misses >= 0, "count");
        for (int dest = 1; dest < size; dest++)
            acl_async_send(dest, 1, NULL, 0);
    } else {
        snprintf(text, sizeof text, "from rank %d", self);
        acl_async_send(0, 7, text, strlen(text) + 1);
        check(acl_async_receive_block(0, ACL_ANY, NULL, 0, &message) == 0, "an empty message");
        check(message.source == 0 && message.tag == 1 && message.bytes == 0, "its envelope");
    }
    acl_end();
    return 0;
}
