#include "libc/testing/ranks.h"

#include "base/check.h"
#include "libc/environment.h"
#include "libc/signals.h"
#include "libc/threads.h"

#include <cstring>

namespace thrum::testing {

void run_ranks_with_libc(int count, const std::function<void(Rank &)> &function,
                         char *const *environment, const TeamOptions &options) {
    static char *no_variables[] = {nullptr};
    create_ranks(count + 1);
    for (int i = 1; i <= count; ++i) {
        Rank &rank = rank_at(i);
        LibcState &state = make_libc_state();
        rank.libc = &state;
        bind_variables(state, &rank);
        give_environment(state, environment ? environment : no_variables);
    }
    begin_ranks();
    auto run = [](Rank &rank, void *argument) {
        if (rank.world_rank == 0)
            return;
        enter_main_thread(libc_of(rank));
        (*static_cast<const std::function<void(Rank &)> *>(argument))(rank);
    };
    run_ranks(count + 1, run, const_cast<std::function<void(Rank &)> *>(&function), options);
    for (int i = 1; i <= count; ++i) {
        LibcState &state = libc_of(rank_at(i));
        rank_at(i).libc = nullptr;
        delete rank_signals_of(state).state.load(std::memory_order_relaxed);
        delete_libc_state(state);
    }
}

void *find_override(const char *name) {
    static FunctionOverride functions[1024];
    static const size_t count = collect_functions(functions, std::size(functions));
    for (size_t i = 0; i < count; ++i)
        if (!std::strcmp(functions[i].name, name))
            return functions[i].function;
    CHECK(false, "no family of this test overrides %s", name);
}

} // namespace thrum::testing
