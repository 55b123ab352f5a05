int shared_name;
double array[50];
int defined_here = 33;
long grows[8]; // the other file has fewer elements
char align_me __attribute__((aligned(128)));

int *address_of_shared_name(void) {
    return &shared_name;
}
