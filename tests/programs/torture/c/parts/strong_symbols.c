int replaced = 50;
int *weak_pointer = &replaced;

int get_replaced(void) {
    return replaced;
}

int strength(void) {
    return 2;
}
