// Globals, function statics, temporaries bound to references and atexit handlers, ended in reverse
// order.
// ranks: 8 64
// expect: ^rank 0: cba4321fg.$
// expect: ^rank 7: cba4321fg.$
#include "torture.h"

#include <cstdlib>
#include <string>

static int my_rank = -1;

struct Log {
    std::string text;

    ~Log() { std::printf("rank %d: %s.\n", my_rank, text.c_str()); }
};

static Log log_of_ends; // the first made, the last to go

struct Marked {
    char mark;

    explicit Marked(char m) : mark(m) {}

    Marked(const Marked &) = delete;

    ~Marked() { log_of_ends.text += mark; }
};

static Marked g('g');
static const Marked &f = Marked('f');

static Marked &in_function(char mark) {
    static Marked marked(mark);
    return marked;
}

static Marked &in_another() {
    static Marked marked('3');
    return marked;
}

template <char C>
static Marked &numbered() {
    static Marked marked(C);
    return marked;
}

int main(int argc, char **argv) {
    CHECK(log_of_ends.text.empty() && g.mark == 'g' && f.mark == 'f');
    my_rank = start(&argc, &argv);
    numbered<'1'>();
    numbered<'2'>();
    let_others_run();
    in_another();
    in_function('4');
    std::atexit([] { log_of_ends.text += 'a'; });
    let_others_run();
    std::atexit([] { log_of_ends.text += 'b'; });
    std::atexit([] {
        log_of_ends.text += 'c';
        if (log_of_ends.text != "c")
            std::abort();
    });
    CHECK(in_function('x').mark == '4');
    return finish();
}
