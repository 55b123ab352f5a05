/* spheres: a renderer of shaded spheres, such as the atoms of a simulation (section 6 of the ACLMPL
 * paper).
 *
 *   mpicc -O2 spheres.c -o spheres -lz -lm
 *   mpiexec -n 32 ./spheres [-n spheres] [-s pixels] [-o spheres.png]
 *
 * Rank 0 makes the spheres (27,000) and hands them out in portions, asynchronously: a rank asks for
 * the next portion when it has drawn one, so that fast ranks draw more. Each rank draws into an
 * image with depths; acl_reduce() keeps the nearest at each pixel. At equal depth the darker colour
 * wins: the image does not depend on who has drawn what. */
#include "png.h"

#include <math.h>
#include <thrum/acl.h>
#include <time.h>

typedef struct {
    float x, y, z, radius; /* in [-1, 1]; larger z is nearer */
    uint32_t colour;       /* 0xRRGGBB */
} sphere;

typedef struct {
    float depth;
    uint32_t colour;
} pixel;

enum { kPortion = 256, kAsk = 1, kSpheres = 2 }; /* spheres in a message; tags */

static const float kNothing = -1e30f;

static struct {
    int spheres, pixels;
    const char *output;
} opt = {27000, 512, "spheres.png"};

static double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint32_t random_state = 12345;

static float random_number(void) { /* 0 to 1 */
    random_state = random_state * 1664525u + 1013904223u;
    return (float)(random_state >> 8) / (float)(1 << 24);
}

/* A crystal from which a ball has knocked out a crater: atoms are coloured by their speed. */
static sphere make_sphere(int number) {
    int side = (int)ceil(cbrt(opt.spheres));
    float spacing = 1.3f / (float)side;
    float x = ((float)(number % side) - side / 2.0f) * spacing;
    float y = ((float)(number / side % side) - side / 2.0f) * spacing;
    float z = ((float)(number / side / side) - side / 2.0f) * spacing;
    float dx = x - 0.2f, dy = y - 0.5f, dz = z - 0.5f;
    float distance = sqrtf(dx * dx + dy * dy + dz * dz) + 1e-3f, push = 0.0f;
    if (distance < 0.45f)
        push = (0.45f - distance) * (0.8f + 0.6f * random_number());
    float heat = push * 3 > 1 ? 1 : push * 3;
    uint32_t red = (uint32_t)(60 + 195 * heat), blue = (uint32_t)(220 - 180 * heat);
    uint32_t green = (uint32_t)(110 + 60 * heat);
    /* Seen from a corner. */
    x += dx / distance * push, y += dy / distance * push, z += dz / distance * push;
    float turned_x = 0.82f * x - 0.57f * z, turned_z = 0.57f * x + 0.82f * z;
    sphere s = {turned_x, 0.88f * y - 0.47f * turned_z, 0.47f * y + 0.88f * turned_z,
                0.55f * spacing, red << 16 | green << 8 | blue};
    return s;
}

/* Rank 0: answers each question with the next portion; an empty one says that there are no more. */
static void hand_out(void) {
    int idle = acl_partition_size() - 1, next = 0;
    sphere portion[kPortion];
    while (idle > 0) {
        acl_message question;
        acl_async_receive_block(ACL_ANY, kAsk, NULL, 0, &question);
        size_t count = 0;
        while (next < opt.spheres && count < kPortion)
            portion[count++] = make_sphere(next++);
        acl_async_send(question.source, kSpheres, portion, count * sizeof *portion);
        idle -= count == 0;
    }
}

static uint32_t shade(uint32_t colour, float light) {
    uint32_t result = 0;
    for (int shift = 0; shift < 24; shift += 8)
        result |= (uint32_t)((float)(colour >> shift & 255) * light) << shift;
    return result;
}

/* The nearer of two; an order of all pixels, so that any order of drawing gives the same. */
static pixel nearer(pixel a, pixel b) {
    if (a.depth != b.depth)
        return a.depth > b.depth ? a : b;
    return a.colour < b.colour ? a : b;
}

static void draw(pixel *image, const sphere *s) {
    float scale = (float)opt.pixels / 2.2f, middle = (float)opt.pixels / 2;
    float cx = middle + s->x * scale, cy = middle - s->y * scale, radius = s->radius * scale;
    for (int y = (int)floorf(cy - radius); y <= (int)ceilf(cy + radius); y++)
        for (int x = (int)floorf(cx - radius); x <= (int)ceilf(cx + radius); x++) {
            float dx = ((float)x + 0.5f - cx) / radius, dy = (cy - (float)y - 0.5f) / radius;
            float rest = 1 - dx * dx - dy * dy;
            if (x < 0 || y < 0 || x >= opt.pixels || y >= opt.pixels || rest <= 0)
                continue;
            float dz = sqrtf(rest), facing = -0.4f * dx + 0.55f * dy + 0.73f * dz;
            float light = 0.25f + 0.75f * (facing > 0 ? facing : 0);
            pixel drawn = {s->z + dz * s->radius, shade(s->colour, light)};
            pixel *at = &image[y * opt.pixels + x];
            *at = nearer(*at, drawn);
        }
}

static long draw_portions(pixel *image) {
    sphere portion[kPortion];
    for (long drawn = 0;;) {
        acl_async_send(0, kAsk, NULL, 0);
        size_t bytes = acl_async_receive_block(0, kSpheres, portion, sizeof portion, NULL);
        if (bytes == 0)
            return drawn;
        for (size_t i = 0; i < bytes / sizeof *portion; i++, drawn++)
            draw(image, &portion[i]);
    }
}

/* An acl_operator. */
static void keep_nearer(const void *lower, const void *higher, void *result, size_t count) {
    const pixel *a = lower, *b = higher;
    pixel *out = result;
    for (size_t i = 0; i < count; i++)
        out[i] = nearer(a[i], b[i]);
}

static void write_image(const pixel *image) {
    unsigned char *rgb = malloc(3 * (size_t)opt.pixels * (size_t)opt.pixels), *out = rgb;
    for (int y = 0; y < opt.pixels; y++)
        for (int x = 0; x < opt.pixels; x++) {
            pixel p = image[y * opt.pixels + x];
            uint32_t background = (uint32_t)(24 + 40 * y / opt.pixels);
            uint32_t colour = p.depth > kNothing ? p.colour : background * 0x010102u;
            *out++ = (unsigned char)(colour >> 16);
            *out++ = (unsigned char)(colour >> 8);
            *out++ = (unsigned char)colour;
        }
    write_png(opt.output, rgb, opt.pixels, opt.pixels);
    free(rgb);
}

static void parse(int argc, char **argv) {
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "-n"))
            opt.spheres = atoi(value);
        else if (!strcmp(argv[i], "-s"))
            opt.pixels = atoi(value);
        else if (!strcmp(argv[i], "-o"))
            opt.output = value;
        else
            value = "";
        if (!*value || opt.spheres < 1 || opt.pixels < 1) {
            fprintf(stderr, "usage: spheres [-n spheres] [-s pixels] [-o file]\n");
            exit(2);
        }
    }
}

int main(int argc, char **argv) {
    parse(argc, argv);
    acl_begin();
    int self = acl_self_address(), size = acl_partition_size();
    size_t count = (size_t)opt.pixels * (size_t)opt.pixels;
    pixel *image = malloc(count * sizeof *image);
    for (size_t i = 0; i < count; i++)
        image[i] = (pixel){kNothing, 0};
    double start = now_seconds();
    if (size == 1) {
        for (int i = 0; i < opt.spheres; i++) {
            sphere s = make_sphere(i);
            draw(image, &s);
        }
    } else if (self == 0) {
        hand_out();
    } else {
        draw_portions(image);
    }
    acl_reduce(0, image, count, sizeof *image, keep_nearer);
    if (self == 0) {
        double seconds = now_seconds() - start;
        write_image(image);
        printf("ranks %d spheres %d pixels %d seconds %.4f spheres/s %.0f\n", size, opt.spheres,
               opt.pixels, seconds, opt.spheres / seconds);
    }
    free(image);
    acl_end();
    return 0;
}
