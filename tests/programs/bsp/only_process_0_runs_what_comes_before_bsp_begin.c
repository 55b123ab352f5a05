// BSPlib: bsp_init is the first statement of main if bsp_begin is not; then process 0 alone runs
// main, and says how many processes there are; the others run the function, "and then exit(0)".
// Ranks that are too many end.
// ranks: 3 6
// expect: before: 1 process
// expect: sum 3 of 3
// expect: ^after$
// expect: ^process 0 leaves$
// expect: ^process 1 leaves$
// expect: ^process 2 leaves$
// expect-not: never
#include <stdio.h>
#include <stdlib.h>
#include <thrum/bsp.h>

static int wanted, me;

static void leave(void) {
    printf("process %d leaves\n", me);
}

static void spmd(void) {
    bsp_begin(wanted);
    atexit(leave);
    int parts[3] = {0};
    me = bsp_pid();
    bsp_push_reg(parts, sizeof parts);
    bsp_sync();
    bsp_put(0, &me, parts, me * (int)sizeof me, sizeof me);
    bsp_sync();
    if (me == 0)
        printf("sum %d of %d\n", parts[0] + parts[1] + parts[2], bsp_nprocs());
    bsp_end();
}

int main(int argc, char **argv) {
    bsp_init(spmd, argc, argv);
    printf("before: 1 process\n");
    wanted = 3;
    spmd();
    printf("after\n");
    return 0;
}
