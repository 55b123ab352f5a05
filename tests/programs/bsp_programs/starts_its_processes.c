// bsp_begin(n) in a program that was started without mpiexec: n processes, which begin in the
// function that bsp_init names and have the program's arguments; what comes before is done once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thrum/bsp.h>

static int wanted, value;
static char **arguments;

static void check(int condition, const char *what) {
    if (!condition)
        bsp_abort("%s", what);
}

static void spmd(void) {
    bsp_begin(wanted);
    int p = bsp_nprocs(), me = bsp_pid(), sum = 0, parts[16] = {0};
    check(p == atoi(arguments[1]), "the number of processes is wrong");
    check(strcmp(arguments[2], "two words") == 0, "an argument is missing");
    check(value == (me == 0), "the variables are not a process's own");
    value = me + 1;
    bsp_push_reg(parts, sizeof parts);
    bsp_sync();
    bsp_put(0, &value, parts, me * (int)sizeof value, sizeof value);
    bsp_sync_count(me == 0 ? p : 0);
    for (int i = 0; i < p; ++i)
        sum += parts[i];
    check(me != 0 || sum == p * (p + 1) / 2, "the sum is wrong");
    if (me == 0)
        printf("%d processes\n", p);
    bsp_end();
}

int main(int argc, char **argv) {
    arguments = argv;
    bsp_init(spmd, argc, argv);
    wanted = atoi(argv[1]);
    value = 1;
    printf("before\n");
    spmd();
    printf("after\n");
    return 0;
}
