// Defines what variables_of_another_file_are_the_ranks_own.c declares.
struct self {
    int a;
    int *b;
};

int number = 11;
int array[6] = {0, 1, 2, 3, 4, 5};
int *const constant_pointer = &number;
int *const table[3] = {&number, array + 2, array + 5};
const int constant = 77;
struct self self = {5, &self.a};
int *pointer = array;
int hidden_number __attribute__((visibility("hidden"))) = 9;

int get(void) {
    return number;
}

int *address(int i) {
    return i ? array : &number;
}

void add_thousand(void) {
    number += 1000;
}
