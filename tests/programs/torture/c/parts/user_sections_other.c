struct command {
    const char *name;
    int *calls;
};

static int calls_of_third = 300;
static struct command third __attribute__((section("commands"), used)) = {"third", &calls_of_third};
