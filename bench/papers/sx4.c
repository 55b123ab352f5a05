/* sx4 [-r samples] [-t seconds] [-b seconds] STEP processes|threads [LIMIT=NUMBER...] TEST:BYTES...
 *
 * Measures a step of the SX-4 paper's message device (sx4/device.h) between two ranks:
 *
 *   pingpong  half a round trip, as bench/pingpong.c
 *   one_way   a message of many that follow each other, answered once, as bench/one_way.c
 *
 * LIMIT is short, eager or segment (the largest size in bytes of such a message or part), pool
 * (bytes for eager messages) or slots (of each ordered pair of ranks). The data are compared with
 * what was sent after each sample. */
#include "../bench.h"
#include "sx4/ranks.h"

#include <limits.h>

enum test_kind { test_pingpong, test_one_way };

struct options {
    struct sampling sampling;
    struct design design;
    enum ranks_are ranks_are;
    char **tests;
    int count;
};

/* One test of one size in one of the two ranks. */
struct run {
    struct endpoint *endpoint;
    int rank, peer;
    enum test_kind kind;
    size_t size_bytes;
    char *out, *in, *expected;
};

static const char *const test_names[] = {"pingpong", "one_way"};

static void end_with_usage(const char *why, const char *word) {
    fprintf(stderr,
            "sx4: %s: %s\nusage: sx4 [-r samples] [-t seconds] [-b seconds] STEP "
            "processes|threads [short|eager|segment|pool|slots=NUMBER...] "
            "pingpong|one_way:BYTES...\n",
            why, word);
    exit(2);
}

static size_t number_of(const char *text, const char *word) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (end == text || *end || *text == '-')
        end_with_usage("not a number", word);
    return number;
}

/* Returns the size in a word such as pingpong:8. */
static size_t size_of_test(const char *word) {
    if (strncmp(word, "pingpong:", 9) && strncmp(word, "one_way:", 8))
        end_with_usage("not a test", word);
    return number_of(strchr(word, ':') + 1, word);
}

static void fill(char *data, size_t size_bytes, int rank) {
    for (size_t i = 0; i < size_bytes; i++)
        data[i] = (char)(i * 31 + (i >> 8) + 7 * (size_t)rank + 1);
}

static void trips(const struct run *r, long count) {
    for (long i = 0; i < count; i++) {
        if (r->rank == 0)
            send_message(r->endpoint, 1, r->out, r->size_bytes);
        receive_message(r->endpoint, r->peer, r->in, r->size_bytes);
        if (r->rank == 1)
            send_message(r->endpoint, 0, r->out, r->size_bytes);
    }
}

static void stream(const struct run *r, long count) {
    for (long i = 0; i < count; i++)
        if (r->rank == 0)
            send_message(r->endpoint, 1, r->out, r->size_bytes);
        else
            receive_message(r->endpoint, 0, r->in, r->size_bytes);
    if (r->rank == 0)
        receive_message(r->endpoint, 1, NULL, 0);
    else
        send_message(r->endpoint, 0, NULL, 0);
}

/* Returns the seconds of `count` trips or messages, and ends the process if the data are wrong. */
static double sample(const struct run *r, long count) {
    memset(r->in, 0, r->size_bytes);
    double start = now_seconds();
    (r->kind == test_pingpong ? trips : stream)(r, count);
    double seconds = now_seconds() - start;
    if ((r->kind == test_pingpong || r->rank == 1) && memcmp(r->in, r->expected, r->size_bytes)) {
        fprintf(stderr, "sx4: %s of %zu bytes: rank %d received wrong data\n", test_names[r->kind],
                r->size_bytes, r->rank);
        exit(3);
    }
    return seconds;
}

/* Rank 0 says how many trips come next; 0 ends the test. */
static double commanded_sample(const struct run *r, long count) {
    send_message(r->endpoint, 1, &count, sizeof count);
    return count ? sample(r, count) : 0;
}

static void obey(const struct run *r) {
    for (long count;;) {
        receive_message(r->endpoint, 0, &count, sizeof count);
        if (!count)
            return;
        sample(r, count);
    }
}

static void command(const struct run *r, const struct sampling *s) {
    double samples[SAMPLES_MAX], begin = now_seconds();
    long count = 1;
    int done = 0;
    while (commanded_sample(r, count) < s->sample_s && count < LONG_MAX / 4)
        count *= 2;
    do
        samples[done++] =
            commanded_sample(r, count) / (double)count / (r->kind == test_pingpong ? 2 : 1);
    while (done < s->samples && now_seconds() - begin < s->budget_s);
    commanded_sample(r, 0);
    print_figure(test_names[r->kind], (long)r->size_bytes, samples, done);
}

static void measure(struct endpoint *endpoint, int rank, const char *test,
                    const struct sampling *s) {
    struct run r = {.endpoint = endpoint,
                    .rank = rank,
                    .peer = 1 - rank,
                    .kind = test[0] == 'p' ? test_pingpong : test_one_way,
                    .size_bytes = size_of_test(test)};
    r.out = allocate_touched(r.size_bytes);
    r.in = allocate_touched(r.size_bytes);
    r.expected = allocate_touched(r.size_bytes);
    fill(r.out, r.size_bytes, rank);
    fill(r.expected, r.size_bytes, r.peer);
    if (rank == 0)
        command(&r, s);
    else
        obey(&r);
    free(r.out);
    free(r.in);
    free(r.expected);
}

static int run_tests(struct endpoint *endpoint, int rank, const void *argument) {
    const struct options *options = argument;
    for (int i = 0; i < options->count; i++)
        measure(endpoint, rank, options->tests[i], &options->sampling);
    return 0;
}

/* Sets a limit; returns 0 if the word does not name one. */
static int set_limit(struct design *design, const char *word) {
    const struct {
        const char *name;
        size_t *limit;
    } limits[] = {{"short=", &design->short_bytes_max},
                  {"eager=", &design->eager_bytes_max},
                  {"segment=", &design->segment_bytes},
                  {"pool=", &design->eager_pool_bytes},
                  {"slots=", &design->slots}};

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!strncmp(word, limits[i].name, strlen(limits[i].name))) {
            *limits[i].limit = number_of(word + strlen(limits[i].name), word);
            return 1;
        }
    return 0;
}

static void parse(struct options *options, int argc, char **argv) {
    int a = parse_sampling(argc, argv, &options->sampling);
    if (argc - a < 3)
        end_with_usage("missing", "step, kind of ranks and tests");
    if (!design_of_step(argv[a], &options->design))
        end_with_usage("not a step", argv[a]);
    if (strcmp(argv[++a], "threads") && strcmp(argv[a], "processes"))
        end_with_usage("neither processes nor threads", argv[a]);
    options->ranks_are = argv[a++][0] == 't' ? ranks_are_threads : ranks_are_processes;
    while (a < argc && set_limit(&options->design, argv[a]))
        a++;
    options->tests = argv + a;
    options->count = argc - a;
    for (; a < argc; a++)
        size_of_test(argv[a]);
}

int main(int argc, char **argv) {
    struct options options;
    parse(&options, argc, argv);
    return run_ranks(&options.design, 2, options.ranks_are, run_tests, &options);
}
