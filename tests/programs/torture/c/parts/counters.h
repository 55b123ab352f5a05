// Two files include this: static inline functions have statics of their own in each, extern inline
// ones do not.
static inline int count_here(void) {
    static int calls = 10;
    return ++calls;
}

static inline int *history(void) {
    static int seen[4] = {1, 2, 3, 4};
    static int *cursor = seen;
    if (cursor == seen + 4)
        cursor = seen;
    return cursor++;
}

int count_there(void);
int *history_there(void);
