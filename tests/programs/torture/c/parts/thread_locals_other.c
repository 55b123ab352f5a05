__thread int of_other_file = 9;
static __thread int hidden[4] = {1, 2, 3, 4};

int *address_of_other(void) {
    return &of_other_file;
}

int *address_of_hidden(void) {
    return &hidden[2];
}
