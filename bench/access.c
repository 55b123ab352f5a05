// Access to global variables: nanoseconds for each of several ways, the best of many repetitions.
// Compiled plain and with --privatize by bench/privatize.py; other_unit.c has the variables of
// another file.
//
//   access REPETITIONS      prints a line for each: NAME NANOSECONDS
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { N = 4096 };

int counter;
static long hits, misses;
double total;
static unsigned seed = 12345;
double a[N], b[N], c[N];
static int order[N];
static unsigned char table[256];

static struct {
    double x, y;
    int n;
} structure;

int *volatile pointer = &counter;
extern int of_another_file;
extern double array_of_another_file[N];

static struct node {
    struct node *next;
    long value;
} nodes[256], *head = nodes;

#define KERNEL __attribute__((noinline)) static void
#define CALLED __attribute__((noinline)) static

CALLED void bump(int k) {
    counter += k;
    ++hits;
    if (k & 1)
        misses += counter;
    ++structure.n;
}

CALLED unsigned next_random(void) {
    return (seed = seed * 1103515245u + 12345u) >> 16;
}

CALLED double element(int i) {
    return a[i] + b[i];
}

CALLED double *address(int i) {
    return i & 1 ? &a[i] : &b[i];
}

KERNEL scalars(void) {
    for (int i = 0; i < N; ++i)
        bump(i);
}

KERNEL read_modify_write(void) {
    unsigned sum = 0;
    for (int i = 0; i < N; ++i)
        sum += next_random();
    total += sum;
}

KERNEL triad(void) {
    for (int i = 0; i < N; ++i)
        a[i] = b[i] + 3.0 * c[i];
}

KERNEL sum(void) {
    double s = 0;
    for (int i = 0; i < N; ++i) {
        s += a[i];
        structure.x += b[i];
    }
    total += s;
}

KERNEL gather(void) {
    for (int i = 0; i < N; ++i)
        a[i] += b[order[i]];
}

KERNEL bytes(void) {
    unsigned h = 0;
    for (int i = 0; i < N; ++i) {
        h = table[(h ^ i) & 255] + (h << 1);
        ++table[h & 255];
    }
    hits += h;
}

KERNEL through_a_pointer(void) {
    for (int i = 0; i < N; ++i)
        *pointer += i;
}

KERNEL another_files(void) {
    for (int i = 0; i < N; ++i) {
        of_another_file += i;
        array_of_another_file[i] += of_another_file;
    }
}

KERNEL list(void) {
    long s = 0;
    struct node *p = head;
    for (int i = 0; i < N; ++i, p = p->next)
        s += p->value;
    hits += s;
}

KERNEL elements(void) {
    double s = 0;
    for (int i = 0; i < N; ++i)
        s += element(i);
    total += s;
}

KERNEL addresses(void) {
    double s = 0;
    for (int i = 0; i < N; ++i)
        s += *address(i);
    total += s;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } kernels[] = {{"scalars", scalars},
                   {"read-modify-write", read_modify_write},
                   {"triad", triad},
                   {"sum", sum},
                   {"gather", gather},
                   {"bytes", bytes},
                   {"through a pointer", through_a_pointer},
                   {"another file's", another_files},
                   {"list", list},
                   {"elements", elements},
                   {"addresses", addresses}};

    MPI_Init(&argc, &argv);
    for (int i = 0; i < N; ++i) {
        b[i] = i, c[i] = 1, order[i] = i * 1237 % N;
        nodes[i % 256].next = &nodes[(i * 77 + 1) % 256];
    }
    int repetitions = argc > 1 ? atoi(argv[1]) : 3000, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
        double best = 1;
        for (int r = 0; r < repetitions; ++r) {
            double start = MPI_Wtime();
            kernels[k].run();
            double time = MPI_Wtime() - start;
            best = time < best ? time : best;
        }
        if (rank == 1)
            printf("%s\t%.4f\n", kernels[k].name, best / N * 1e9);
    }
    MPI_Finalize();
    return 0;
}
