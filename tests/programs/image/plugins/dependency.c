static int calls;
int *dependency_pointer; // set by the constructor
static int constructed_first;

__attribute__((constructor)) static void construct(void) {
    dependency_pointer = &constructed_first;
}

int dependency_next(void) {
    return constructed_first ? ++calls : -1;
}
