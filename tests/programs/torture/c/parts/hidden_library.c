// Compiled with -fPIC: hidden, protected and exported variables; a name that the program defines,
// too.
int both_define = 1; // the program's counts
int hidden_from_program __attribute__((visibility("hidden"))) = 2;
int protected_variable __attribute__((visibility("protected"))) = 3;
static int file_static = 4;
static int *all[] = {&both_define, &hidden_from_program, &protected_variable, &file_static};

int library_value(int which) {
    return *all[which];
}

void library_add(int amount) {
    for (int i = 0; i < 4; ++i)
        *all[i] += amount;
    both_define += 0, hidden_from_program += 0;
}

int *library_protected(void) {
    return &protected_variable;
}
