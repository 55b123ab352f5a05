/* LU decomposition with partial pivoting of a dense matrix on a grid of processes; after
 * application "LU" of R. Alpert and J. Philbin, "cBSP" (1997), section 6.2.3, and R. Bisseling and
 * W. McColl, "Scientific computing on bulk synchronous parallel architectures" (1993).
 *
 * Process (s, t) of the grid has the elements (i, j) with i mod rows = s and j mod columns = t. For
 * each column k there are four supersteps; how many messages come follows from the process's place
 * in the grid, the rows and columns that are left, and the pivot's row:
 *   1. the processes of column k tell each other their largest element
 *   2. they tell the others of their row which element is the pivot
 *   3. the processes that have row k and the pivot's row exchange them
 *   4. multipliers go along the rows of the grid, row k goes along its columns */
#include "application.h"

#include <math.h>

enum { grid_max = 64 };

struct candidate {
    double value;
    int row;
};

static int n, rows, columns, s, t; /* of the grid, and this process's place in it */
static int own_rows, own_columns;
static double *a; /* own part: own_rows x own_columns */
static struct candidate candidates[grid_max], pivot;
static double *multipliers, *top, *other; /* of column k; row k; a row to exchange */

static int process_at(int row, int column) {
    return row * columns + column;
}

/* How many of the numbers from `first` below n are `rest` modulo `modulus`. */
static int count_from(int first, int rest, int modulus) {
    int least = first + ((rest - first) % modulus + modulus) % modulus;
    return least >= n ? 0 : (n - 1 - least) / modulus + 1;
}

static double element(int i, int j) {
    unsigned h = ((unsigned)i + 7) * 2654435761u ^ ((unsigned)j + 1) * 2246822519u;
    h ^= h >> 15;
    h *= 2654435761u;
    h ^= h >> 13;
    return (double)(h & 0xfffff) / 1048576 - 0.5;
}

/* The first of the largest. */
static int is_better(struct candidate one, struct candidate other_one) {
    double size = fabs(one.value), other_size = fabs(other_one.value);
    return size > other_size || (size == other_size && one.row < other_one.row);
}

static double *row_of(int i) { /* an own row, by its number in the matrix */
    return a + (size_t)(i / rows) * (size_t)own_columns;
}

static struct candidate largest(int k) {
    struct candidate best = {0, n};
    for (int i = k + ((s - k) % rows + rows) % rows; i < n; i += rows) {
        struct candidate here = {row_of(i)[k / columns], i};
        if (is_better(here, best))
            best = here;
    }
    return best;
}

static void find_pivot(int k) {
    int in_column = t == k % columns;
    if (in_column) {
        candidates[s] = largest(k);
        for (int to = 0; to < rows; ++to)
            if (to != s)
                cbsp_send(process_at(to, t), &candidates[s], &candidates[s], sizeof candidates[s],
                          NULL);
    }
    end_superstep(in_column ? rows - 1 : 0);
    if (in_column) {
        pivot = candidates[0];
        for (int i = 1; i < rows; ++i)
            if (is_better(candidates[i], pivot))
                pivot = candidates[i];
        for (int to = 0; to < columns; ++to)
            if (to != t)
                cbsp_send(process_at(s, to), &pivot, &pivot, sizeof pivot, NULL);
    }
    end_superstep(!in_column);
}

static void exchange_rows(int k, int r) {
    int first = k % rows, second = r % rows;
    size_t bytes = sizeof(double) * (size_t)own_columns;
    int exchanges = first != second && (s == first || s == second) && own_columns > 0;
    double *mine = exchanges ? row_of(s == first ? k : r) : NULL;
    if (exchanges)
        cbsp_send(process_at(s == first ? second : first, t), other, mine, (ptrdiff_t)bytes, NULL);
    end_superstep(exchanges);
    if (exchanges)
        memcpy(mine, other, bytes);
    if (first == second && s == first && k != r) {
        memcpy(other, row_of(k), bytes);
        memcpy(row_of(k), row_of(r), bytes);
        memcpy(row_of(r), other, bytes);
    }
}

/* To the other processes of the same row, or column, of the grid. */
static void send_along_row(double *part, int length) {
    for (int to = 0; length > 0 && to < columns; ++to)
        if (to != t)
            cbsp_send(process_at(s, to), part, part, length * (ptrdiff_t)sizeof(double), NULL);
}

static void send_along_column(double *part, int length) {
    for (int to = 0; length > 0 && to < rows; ++to)
        if (to != s)
            cbsp_send(process_at(to, t), part, part, length * (ptrdiff_t)sizeof(double), NULL);
}

static void update(int k) {
    int first_row = own_rows - count_from(k + 1, s, rows);
    int first_column = own_columns - count_from(k + 1, t, columns);
    int in_column = t == k % columns, in_row = s == k % rows;
    for (int i = first_row; in_column && i < own_rows; ++i) {
        double *place = a + (size_t)i * (size_t)own_columns + k / columns;
        *place /= pivot.value;
        multipliers[i] = *place;
    }
    if (in_row)
        memcpy(top + first_column, row_of(k) + first_column,
               sizeof(double) * (size_t)(own_columns - first_column));
    if (in_column)
        send_along_row(multipliers + first_row, own_rows - first_row);
    if (in_row)
        send_along_column(top + first_column, own_columns - first_column);
    end_superstep((!in_column && first_row < own_rows) + (!in_row && first_column < own_columns));
    for (int i = first_row; i < own_rows; ++i) {
        double *row = a + (size_t)i * (size_t)own_columns, factor = multipliers[i];
        for (int j = first_column; j < own_columns; ++j)
            row[j] -= factor * top[j];
    }
}

static void decompose(int *pivots) {
    for (int k = 0; k < n; ++k) {
        find_pivot(k);
        pivots[k] = pivot.row;
        exchange_rows(k, pivot.row);
        update(k);
    }
}

static void decompose_alone(double *m, int *pivots) {
    for (int k = 0; k < n; ++k) {
        struct candidate best = {0, n};
        for (int i = k; i < n; ++i) {
            struct candidate here = {m[(size_t)i * (size_t)n + (size_t)k], i};
            if (is_better(here, best))
                best = here;
        }
        pivots[k] = best.row;
        double *row_k = m + (size_t)k * (size_t)n, *row_r = m + (size_t)best.row * (size_t)n;
        for (int j = 0; j < n && best.row != k; ++j) {
            double value = row_k[j];
            row_k[j] = row_r[j];
            row_r[j] = value;
        }
        for (int i = k + 1; i < n; ++i) {
            double *row = m + (size_t)i * (size_t)n;
            row[k] /= best.value;
            for (int j = k + 1; j < n; ++j)
                row[j] -= row[k] * row_k[j];
        }
    }
}

/* Process 0: whether all parts together are what one process computes. */
static int is_equal(const int *pivots) {
    int p = bsp_nprocs(), equal = 1;
    double *m = allocate(sizeof(double) * (size_t)n * (size_t)n);
    int *expected = allocate(sizeof(int) * (size_t)n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            m[(size_t)i * (size_t)n + (size_t)j] = element(i, j);
    decompose_alone(m, expected);
    for (int k = 0; k < n; ++k)
        equal = equal && pivots[k] == expected[k];
    for (int q = 0; q < p; ++q) {
        int *from;
        double *part;
        bsp_hpmove((void **)&from, (void **)&part);
        int qs = *from / columns, qt = *from % columns, width = count_from(0, qt, columns);
        for (int i = qs; i < n; i += rows)
            for (int j = qt; j < n; j += columns)
                equal = equal && part[(size_t)(i / rows) * (size_t)width + (size_t)(j / columns)] ==
                                     m[(size_t)i * (size_t)n + (size_t)j];
    }
    free(m);
    free(expected);
    return equal;
}

static void prepare(void) {
    int p = bsp_nprocs();
    for (rows = 1; (rows + 1) * (rows + 1) <= p; ++rows)
        ;
    while (p % rows)
        --rows;
    columns = p / rows;
    if (rows > grid_max)
        bsp_abort("more than %d rows of processes", grid_max);
    s = bsp_pid() / columns;
    t = bsp_pid() % columns;
    own_rows = count_from(0, s, rows);
    own_columns = count_from(0, t, columns);
    /* Areas are as large everywhere: a sender names a place in its own. */
    size_t longest = (size_t)n;
    a = allocate(sizeof(double) * (size_t)own_rows * (size_t)own_columns);
    multipliers = allocate(sizeof(double) * longest);
    top = allocate(sizeof(double) * longest);
    other = allocate(sizeof(double) * longest);
    for (int i = s; i < n; i += rows)
        for (int j = t; j < n; j += columns)
            row_of(i)[j / columns] = element(i, j);
    bsp_push_reg(multipliers, (ptrdiff_t)(sizeof(double) * longest));
    bsp_push_reg(top, (ptrdiff_t)(sizeof(double) * longest));
    bsp_push_reg(other, (ptrdiff_t)(sizeof(double) * longest));
}

int main(int argc, char **argv) {
    cbsp_initialize();
    read_arguments("lu", 512, 1, argc, argv);
    n = app.size;
    int *pivots = allocate(sizeof(int) * (size_t)n), me = bsp_pid(), tag_bytes = sizeof me;
    bsp_set_tagsize(&tag_bytes);
    prepare();
    start_clock();
    decompose(pivots);
    bsp_sync();
    double seconds = bsp_time() - app.started;
    bsp_send(0, &me, a, (ptrdiff_t)(sizeof(double) * (size_t)own_rows * (size_t)own_columns));
    bsp_sync();
    if (me == 0)
        print_results(seconds, app.compare ? is_equal(pivots) : -1);
    bsp_end();
    free(pivots);
    free(a);
    free(multipliers);
    free(top);
    free(other);
    return 0;
}
