// Compiled with -fPIC: reached through __tls_get_addr.
static int target = 70;
__thread int of_library = 12;
__thread int *pointer_of_library = &target;

int *address_of_library(void) {
    return &of_library;
}

int library_target(void) {
    return target;
}
