/* The end of a benchmark of operations: which of them the arguments OPERATION:BYTES name, and
 * `main`. Included behind the benchmark's own `struct operation` with a name, `operations`,
 * `rank`, `size` and measure(). */
static const struct operation *find_operation(const char *argument) {
    size_t length = strcspn(argument, ":");
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strlen(operations[i].name) == length &&
            strncmp(operations[i].name, argument, length) == 0)
            return &operations[i];
    fprintf(stderr, "there is no operation %s\n", argument);
    MPI_Abort(MPI_COMM_WORLD, 2);
    return NULL;
}

int main(int argc, char **argv) {
    struct sampling s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int a = parse_sampling(argc, argv, &s); a < argc; a++) {
        const char *colon = strchr(argv[a], ':');
        measure(find_operation(argv[a]), colon ? atoi(colon + 1) : 0, &s);
    }
    MPI_Finalize();
    return 0;
}
