// The names that the assembler sees.
extern int name_of_the_assembler;
int real_name = 21;

int get_by_assembler_name(void) {
    return name_of_the_assembler;
}

void set_by_assembler_name(int value) {
    name_of_the_assembler = value;
}
