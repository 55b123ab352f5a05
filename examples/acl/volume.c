/* volume: a sort-last renderer of volume data, composited by binary swap (section 6 of the ACLMPL
 * paper).
 *
 *   mpicc -O2 volume.c -o volume -lz -lm
 *   mpiexec -n 32 ./volume [-n voxels] [-s pixels] [-a degrees] [-o volume.png]
 *
 * Rank 0 makes a data set of voxels^3 bytes (128) and sends each rank its slices. Each rank casts
 * rays through its own subvolume, for an image of pixels^2 (256), seen from `degrees` to the side
 * (30). acl_reduce_by_binary_swap() then lays the images over each other, front to back.
 *
 * The number of ranks is a power of two, at most kSlabs. Every rank's part consists of whole slabs,
 * and slabs are laid over each other in pairs, pairs of pairs and so on, first within a rank and
 * then by binary swap: the image has the same bits for any number of ranks. */
#include "png.h"

#include <math.h>
#include <thrum/acl.h>
#include <time.h>

enum { kSlabs = 64, kGhosts = 2 }; /* slices beyond one's own, for interpolation and gradients */

typedef struct {
    float red, green, blue, opacity; /* colours are multiplied by the opacity already */
} pixel;

typedef struct {
    int voxels, pixels;
    double angle;
    const char *output;
} options;

static options opt = {128, 256, 30.0, "volume.png"};

static double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The data set: a ball with waves on it, inside it a ring and a core. */

static double bump(double distance, double width) {
    double x = distance / width;
    return exp(-x * x);
}

static double density(double x, double y, double z) {
    double radius = sqrt(x * x + y * y + z * z);
    double waves = 0.04 * cos(9 * atan2(y, x)) * cos(7 * z);
    double shell = bump(radius - 0.82 - waves, 0.05);
    double ring = sqrt(x * x + y * y) - 0.45;
    double torus = bump(sqrt(ring * ring + z * z), 0.12);
    double core = bump(radius, 0.16);
    return 0.35 * shell + 0.7 * torus + core;
}

static void make_slice(unsigned char *slice, int z) {
    double scale = 2.0 / (opt.voxels - 1);
    for (int y = 0; y < opt.voxels; y++)
        for (int x = 0; x < opt.voxels; x++) {
            double d = density(x * scale - 1, y * scale - 1, z * scale - 1);
            slice[y * opt.voxels + x] = (unsigned char)(255 * (d < 1 ? d : 1));
        }
}

/* Slices [first, end) of the data set. */
typedef struct {
    unsigned char *data;
    int first, end;
} slices;

/* Slices of `slabs` slabs from `slab` on, with ghosts. */
static slices slices_of(int slab, int slabs) {
    slices part = {NULL, slab * opt.voxels / kSlabs - kGhosts,
                   (slab + slabs) * opt.voxels / kSlabs + kGhosts};
    part.first = part.first < 0 ? 0 : part.first;
    part.end = part.end > opt.voxels ? opt.voxels : part.end;
    return part;
}

/* One-to-all: rank 0 makes the data and sends each rank what it needs. */
static slices distribute(int slabs) {
    int self = acl_self_address(), size = acl_partition_size();
    size_t slice_bytes = (size_t)opt.voxels * (size_t)opt.voxels;
    slices mine = slices_of(self * slabs, slabs);
    size_t bytes = (size_t)(mine.end - mine.first) * slice_bytes;
    mine.data = malloc(bytes);
    if (self != 0) {
        acl_receive(0, mine.data, bytes);
        return mine;
    }
    unsigned char *all = malloc((size_t)opt.voxels * slice_bytes);
    for (int z = 0; z < opt.voxels; z++)
        make_slice(all + (size_t)z * slice_bytes, z);
    memcpy(mine.data, all, bytes);
    for (int rank = 1; rank < size; rank++) {
        slices part = slices_of(rank * slabs, slabs);
        acl_send(rank, all + (size_t)part.first * slice_bytes,
                 (size_t)(part.end - part.first) * slice_bytes);
    }
    free(all);
    return mine;
}

/* Ray casting: orthographic, from the front of the z axis, turned round the y axis. */

static double voxel(const slices *part, int x, int y, int z) {
    int n = opt.voxels;
    x = x < 0 ? 0 : x >= n ? n - 1 : x;
    y = y < 0 ? 0 : y >= n ? n - 1 : y;
    z = z < part->first ? part->first : z >= part->end ? part->end - 1 : z;
    return part->data[((size_t)(z - part->first) * (size_t)n + (size_t)y) * (size_t)n + (size_t)x];
}

/* Interpolated, at a place in units of voxels. */
static double sample(const slices *part, double x, double y, double z) {
    int x0 = (int)floor(x), y0 = (int)floor(y), z0 = (int)floor(z);
    double value = 0;
    for (int corner = 0; corner < 8; corner++) {
        int right = corner & 1, up = corner >> 1 & 1, back = corner >> 2;
        double weight = (right ? x - x0 : 1 - (x - x0)) * (up ? y - y0 : 1 - (y - y0)) *
                        (back ? z - z0 : 1 - (z - z0));
        value += weight * voxel(part, x0 + right, y0 + up, z0 + back);
    }
    return value / 255;
}

/* What a voxel of this density looks like, before light falls on it. */
static pixel transfer(double value) {
    pixel p = {0, 0, 0, 0};
    if (value < 0.08)
        return p;
    if (value < 0.4) { /* the shell: a blue veil */
        p = (pixel){0.25f, 0.55f, 0.95f, (float)(0.10 * (value - 0.08))};
    } else if (value < 0.75) { /* the ring: orange */
        p = (pixel){1.0f, 0.55f, 0.12f, (float)(0.45 * (value - 0.35))};
    } else { /* the core: white */
        p = (pixel){1.0f, 0.95f, 0.85f, 0.30f};
    }
    return p;
}

/* `front` over what has been gathered so far is gathered over what comes behind. */
static pixel over(pixel front, pixel back) {
    float rest = 1 - front.opacity;
    pixel p = {front.red + rest * back.red, front.green + rest * back.green,
               front.blue + rest * back.blue, front.opacity + rest * back.opacity};
    return p;
}

static pixel shaded_sample(const slices *part, double x, double y, double z) {
    pixel p = transfer(sample(part, x, y, z));
    if (p.opacity <= 0)
        return p;
    double gx = sample(part, x + 1, y, z) - sample(part, x - 1, y, z);
    double gy = sample(part, x, y + 1, z) - sample(part, x, y - 1, z);
    double gz = sample(part, x, y, z + 1) - sample(part, x, y, z - 1);
    double length = sqrt(gx * gx + gy * gy + gz * gz) + 1e-6;
    double light = fabs(0.45 * gx + 0.6 * gy + 0.66 * gz) / length;
    float brightness = p.opacity * (float)(0.35 + 0.65 * light);
    p.red *= brightness;
    p.green *= brightness;
    p.blue *= brightness;
    return p;
}

/* The image of one slab alone. Which slab a sample belongs to depends on its place only. */
static void render_slab(const slices *part, int slab, pixel *image) {
    const double n = opt.voxels, turn = opt.angle * (3.14159265358979323846 / 180);
    const double low = slab * opt.voxels / kSlabs, high = (slab + 1) * opt.voxels / kSlabs;
    const double step = 0.7, dx = sin(turn) * step, dz = cos(turn) * step, reach = 0.9 * n;
    for (int row = 0; row < opt.pixels; row++)
        for (int column = 0; column < opt.pixels; column++) {
            double u = ((column + 0.5) / opt.pixels - 0.5) * 1.15 * n;
            double y = (0.5 - (row + 0.5) / opt.pixels) * 1.15 * n + n / 2;
            double x0 = n / 2 + u * cos(turn) - reach * sin(turn);
            double z0 = n / 2 - u * sin(turn) - reach * cos(turn);
            pixel gathered = {0, 0, 0, 0};
            long first = (long)floor((low - z0) / dz) - 1, last = (long)ceil((high - z0) / dz) + 1;
            for (long k = first < 0 ? 0 : first; k <= last; k++) {
                double x = x0 + (double)k * dx, z = z0 + (double)k * dz;
                if (z < low || z >= high || x < 0 || x > n - 1 || y < 0 || y > n - 1)
                    continue;
                gathered = over(gathered, shaded_sample(part, x, y, z));
            }
            image[row * opt.pixels + column] = gathered;
        }
}

/* Lays images over each other: an acl_operator. Lower addresses are in front. */
static void compose(const void *lower, const void *higher, void *result, size_t count) {
    const pixel *front = lower, *back = higher;
    pixel *out = result;
    for (size_t i = 0; i < count; i++)
        out[i] = over(front[i], back[i]);
}

/* The image of `slabs` slabs, a power of two: of each half, one over the other. */
static pixel *render(const slices *part, int slab, int slabs) {
    size_t count = (size_t)opt.pixels * (size_t)opt.pixels;
    if (slabs == 1) {
        pixel *image = malloc(count * sizeof *image);
        render_slab(part, slab, image);
        return image;
    }
    pixel *front = render(part, slab, slabs / 2);
    pixel *back = render(part, slab + slabs / 2, slabs / 2);
    compose(front, back, front, count);
    free(back);
    return front;
}

static unsigned char level(float value) {
    float scaled = 255 * powf(value < 0 ? 0 : value, 1 / 2.2f);
    return (unsigned char)(scaled > 255 ? 255 : scaled + 0.5f);
}

static void write_image(const pixel *image) {
    size_t count = (size_t)opt.pixels * (size_t)opt.pixels;
    unsigned char *rgb = malloc(3 * count);
    for (size_t i = 0; i < count; i++) {
        rgb[3 * i] = level(image[i].red);
        rgb[3 * i + 1] = level(image[i].green);
        rgb[3 * i + 2] = level(image[i].blue);
    }
    write_png(opt.output, rgb, opt.pixels, opt.pixels);
    free(rgb);
}

static void parse(int argc, char **argv) {
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        int known = argv[i][0] == '-' && strchr("nsao", argv[i][1]) && argv[i][1];
        if (known && argv[i][1] == 'n')
            opt.voxels = atoi(value);
        else if (known && argv[i][1] == 's')
            opt.pixels = atoi(value);
        else if (known && argv[i][1] == 'a')
            opt.angle = atof(value);
        else if (known)
            opt.output = value;
        if (!known || !*value || opt.voxels < kSlabs || opt.voxels % kSlabs || opt.pixels < 1 ||
            fabs(opt.angle) > 60) {
            fprintf(stderr,
                    "usage: volume [-n voxels, a multiple of %d] [-s pixels] [-a degrees, -60 to "
                    "60] [-o file]\n",
                    kSlabs);
            exit(2);
        }
    }
}

int main(int argc, char **argv) {
    parse(argc, argv);
    acl_begin();
    int self = acl_self_address(), size = acl_partition_size();
    if (kSlabs % size != 0) {
        if (self == 0)
            fprintf(stderr, "volume: %d ranks: must be a power of two, at most %d\n", size, kSlabs);
        acl_end();
        return 2;
    }
    int slabs = kSlabs / size;
    slices part = distribute(slabs);
    double start = now_seconds();
    pixel *image = render(&part, self * slabs, slabs);
    double rendered = now_seconds();
    acl_reduce_by_binary_swap(0, image, (size_t)opt.pixels * (size_t)opt.pixels, sizeof *image,
                              compose);
    if (self == 0) {
        write_image(image);
        printf("ranks %d voxels %d pixels %d render %.4f s composite %.4f s\n", size, opt.voxels,
               opt.pixels, rendered - start, now_seconds() - rendered);
    }
    free(image);
    free(part.data);
    acl_end();
    return 0;
}
