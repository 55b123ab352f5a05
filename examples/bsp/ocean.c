/* Eddies in a rectangular ocean basin on a grid; after application "ocean" of R. Alpert and
 * J. Philbin, "cBSP" (1997), section 6.2.4.
 *
 * A wind drives the vorticity z of a layer of water; the stream function f follows from it:
 *
 *     dz/dt = - J(f, z) - beta df/dx + viscosity Laplace(z) - friction z + wind curl(y)
 *     Laplace(f) = z                      f = z = 0 at the coasts
 *
 * A step of time is one of Euler's, and red-black over-relaxation sweeps for f. The grid is cut
 * into blocks; a process has the borders of its neighbours' blocks in a frame around its own. Each
 * half of a sweep is a superstep, in which as many messages come as a block has neighbours; after
 * the sweeps all tell each other the largest change. */
#include "application.h"

#include <math.h>

enum { sweeps = 20, sides = 4 };

enum { North, South, West, East };

static const double beta = 0.2, viscosity = 0.02, friction = 0.01, wind = 0.5, relaxation = 1.7;
static const double side_length = 10;

struct block {
    int n;                        /* of the whole grid, with the coasts */
    int top, left, height, width; /* inner points [top, top + height) x [left, left + width) */
    int neighbour[sides];         /* process, or -1: the coast */
    double *z, *f, *next;         /* (height + 2) x (width + 2) */
    double *border[sides];        /* what comes from there */
    double *packed;
};

static double changes[1024]; /* the largest of each process */

static int width_with_frame(const struct block *b) {
    return b->width + 2;
}

static double *at(const struct block *b, double *field, int i, int j) { /* from -1 */
    return field + (size_t)(i + 1) * (size_t)width_with_frame(b) + (size_t)(j + 1);
}

/* Part number `index` of `parts` of the inner points. */
static int part_begin(int n, int index, int parts) {
    return 1 + (int)((long)(n - 2) * index / parts);
}

static struct block make_block(int n, int index, int rows, int columns) {
    int s = index / columns, t = index % columns;
    struct block b = {.n = n};
    b.top = part_begin(n, s, rows);
    b.left = part_begin(n, t, columns);
    b.height = part_begin(n, s + 1, rows) - b.top;
    b.width = part_begin(n, t + 1, columns) - b.left;
    b.neighbour[North] = s > 0 ? index - columns : -1;
    b.neighbour[South] = s + 1 < rows ? index + columns : -1;
    b.neighbour[West] = t > 0 ? index - 1 : -1;
    b.neighbour[East] = t + 1 < columns ? index + 1 : -1;
    size_t points = (size_t)(b.height + 2) * (size_t)(b.width + 2);
    b.z = allocate(sizeof(double) * points);
    b.f = allocate(sizeof(double) * points);
    b.next = allocate(sizeof(double) * points);
    for (int side = 0; side < sides; ++side)
        b.border[side] = allocate(sizeof(double) * (size_t)n);
    b.packed = allocate(sizeof(double) * (size_t)n);
    return b;
}

static void free_block(struct block *b) {
    free(b->z);
    free(b->f);
    free(b->next);
    for (int side = 0; side < sides; ++side)
        free(b->border[side]);
    free(b->packed);
}

static int is_row(int side) {
    return side == North || side == South;
}

/* The points beside a side: own ones, or those of the frame outside. */
static double *beside(const struct block *b, double *field, int side, int outside, int i) {
    int far_row = outside ? b->height : b->height - 1,
        far_column = outside ? b->width : b->width - 1;
    int near_one = outside ? -1 : 0;
    switch (side) {
    case North:
        return at(b, field, near_one, i);
    case South:
        return at(b, field, far_row, i);
    case West:
        return at(b, field, i, near_one);
    default:
        return at(b, field, i, far_column);
    }
}

/* A superstep: the frames of all blocks get what their neighbours have. */
static void exchange_borders(struct block *b, double *field) {
    int count = 0;
    for (int side = 0; side < sides; ++side) {
        if (b->neighbour[side] < 0)
            continue;
        ++count;
        int length = is_row(side) ? b->width : b->height, opposite = side ^ 1;
        for (int i = 0; i < length; ++i)
            b->packed[i] = *beside(b, field, side, 0, i);
        cbsp_send(b->neighbour[side], b->border[opposite], b->packed,
                  length * (ptrdiff_t)sizeof(double), NULL);
    }
    end_superstep(count);
    for (int side = 0; side < sides; ++side) {
        int length = is_row(side) ? b->width : b->height;
        for (int i = 0; b->neighbour[side] >= 0 && i < length; ++i)
            *beside(b, field, side, 1, i) = b->border[side][i];
    }
}

/* A step of time that viscosity lets stay stable. */
static double time_step(double h) {
    double longest = 0.2 * h * h / viscosity;
    return longest < 0.05 ? longest : 0.05;
}

static void advance(struct block *b, double h) {
    double dt = time_step(h);
    double *z = b->z, *f = b->f;
    int w = width_with_frame(b);
    for (int i = 0; i < b->height; ++i)
        for (int j = 0; j < b->width; ++j) {
            const double *zc = at(b, z, i, j), *fc = at(b, f, i, j);
            double fx = (fc[1] - fc[-1]) / (2 * h), fy = (fc[w] - fc[-w]) / (2 * h);
            double zx = (zc[1] - zc[-1]) / (2 * h), zy = (zc[w] - zc[-w]) / (2 * h);
            double laplace = (zc[1] + zc[-1] + zc[w] + zc[-w] - 4 * zc[0]) / (h * h);
            double curl = -wind * sin(3.14159265358979 * (b->top + i) / (b->n - 1));
            *at(b, b->next, i, j) = zc[0] + dt * (fy * zx - fx * zy - beta * fx +
                                                  viscosity * laplace - friction * zc[0] + curl);
        }
    b->z = b->next;
    b->next = z;
}

/* Points of one colour; returns the largest change. */
static double relax(struct block *b, double h, int colour) {
    double largest = 0;
    int w = width_with_frame(b);
    for (int i = 0; i < b->height; ++i)
        for (int j = (b->top + i + b->left + colour) & 1; j < b->width; j += 2) {
            double *fc = at(b, b->f, i, j);
            double wanted = (fc[1] + fc[-1] + fc[w] + fc[-w] - h * h * *at(b, b->z, i, j)) / 4;
            double change = relaxation * (wanted - fc[0]);
            fc[0] += change;
            if (fabs(change) > largest)
                largest = fabs(change);
        }
    return largest;
}

static double largest_of_all(double mine) {
    int p = bsp_nprocs(), me = bsp_pid();
    changes[me] = mine;
    for (int to = 0; to < p; ++to)
        if (to != me)
            cbsp_send(to, &changes[me], &mine, sizeof mine, NULL);
    end_superstep(p - 1);
    for (int i = 0; i < p; ++i)
        if (changes[i] > mine)
            mine = changes[i];
    return mine;
}

static double simulate(struct block *b, int steps, int alone) {
    double h = side_length / (b->n - 1), change = 0;
    for (int step = 0; step < steps; ++step) {
        advance(b, h);
        if (!alone)
            exchange_borders(b, b->z);
        change = 0;
        for (int half = 0; half < 2 * sweeps; ++half) {
            double largest = relax(b, h, half & 1);
            if (largest > change && half >= 2 * sweeps - 2)
                change = largest;
            if (!alone)
                exchange_borders(b, b->f);
        }
        if (!alone)
            change = largest_of_all(change);
    }
    return change;
}

/* Process 0: whether the blocks in its queue are what one process computes. */
static int is_equal(int n, int steps, int rows, int columns, double change) {
    struct block whole = make_block(n, 0, 1, 1);
    int equal = simulate(&whole, steps, 1) == change;
    for (int q = 0; q < bsp_nprocs(); ++q) {
        int *from;
        double *part;
        bsp_hpmove((void **)&from, (void **)&part);
        int s = *from / columns, t = *from % columns;
        int top = part_begin(n, s, rows), left = part_begin(n, t, columns);
        int height = part_begin(n, s + 1, rows) - top, width = part_begin(n, t + 1, columns) - left;
        for (int i = 0; i < height; ++i)
            for (int j = 0; j < width; ++j)
                equal = equal && part[(size_t)(i + 1) * (size_t)(width + 2) + (size_t)j + 1] ==
                                     *at(&whole, whole.f, top + i - 1, left + j - 1);
    }
    free_block(&whole);
    return equal;
}

int main(int argc, char **argv) {
    cbsp_initialize();
    read_arguments("ocean", 258, 62, argc, argv);
    int p = bsp_nprocs(), me = bsp_pid(), rows = 1, tag_bytes = sizeof me;
    for (int r = 1; r * r <= p; ++r)
        if (p % r == 0)
            rows = r;
    if (p > (int)(sizeof changes / sizeof changes[0]))
        bsp_abort("at most %zu processes", sizeof changes / sizeof changes[0]);
    struct block b = make_block(app.size, me, rows, p / rows);
    for (int side = 0; side < sides; ++side)
        bsp_push_reg(b.border[side], (ptrdiff_t)sizeof(double) * app.size);
    bsp_set_tagsize(&tag_bytes);
    start_clock();
    double change = simulate(&b, app.steps, 0);
    bsp_sync();
    double seconds = bsp_time() - app.started;
    if (!isfinite(change))
        bsp_abort("the simulation is not stable");
    bsp_send(0, &me, b.f, (ptrdiff_t)sizeof(double) * (b.height + 2) * (b.width + 2));
    bsp_sync();
    if (me == 0)
        print_results(seconds,
                      app.compare ? is_equal(app.size, app.steps, rows, p / rows, change) : -1);
    bsp_end();
    free_block(&b);
    return 0;
}
