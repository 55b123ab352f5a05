#include "libc/libc.h"

#include "base/end_function.h"
#include "libc/input_for_all.h"
#include "libc/libc_family.h"
#include "libc/libc_state.h"
#include "libc/openmp.h"
#include "libc/output.h"
#include "libc/program_buffers.h"
#include "plugin/plugin.h"

#include <cstdlib>
#include <mutex>
#include <unistd.h>

namespace thrum {
namespace {

pid_t singleton_process = 0;

// The C library says nothing when its last flush fails. A child that the process has forked runs
// this, too, and is no rank.
void check_output_of_singleton(int code, void *) {
    const Rank &rank = rank_at(0);
    if (!rank.process || ::getpid() != singleton_process)
        return;
    int error = 0;
    const char *which = flush_process_at_exit(error);
    if (!which)
        return;
    report_lost_output(rank.world_rank, which, error);
    std::exit(code ? code : 1); // goes on with the rest
}

class Libc final : public CLibrary {
public:
    void give_state(Rank &rank, int argc, char **argv, char **environment) override {
        give_libc_state(rank, argc, argv, environment);
    }

    void give_state_to_added(Rank &rank, int argc, char **argv, char **environment) override {
        give_added_libc_state(rank, argc, argv, environment);
    }

    void *variables(Rank &rank) override { return &libc_of(rank).variables; }

    void bind_state(Rank &rank) override { bind_libc_state(rank); }

    bool may_take_state(const Rank &rank) override { return may_delete_libc_state(libc_of(rank)); }

    void take_state(Rank &rank) override {
        {
            std::lock_guard table(rank_table_mutex());
            take_libc_state(rank);
        }
        if (rank.image)
            forget_plugins(rank.image);
    }

    void programs_are_loaded() override { announce_openmp_defaults(); }

    void ranks_are_complete() override { start_input_for_all(); }

    void join_singleton(Rank &) override {
        find_program_streams();
        set_output_function(&flush_all_output);
        singleton_process = ::getpid();
        ::on_exit(&check_output_of_singleton, nullptr);
    }

    void enter_main_thread(Rank &rank) override { thrum::enter_main_thread(libc_of(rank)); }

    char **environment(const Rank &rank) override { return rank_environment(rank); }

    void set_variable(const char *name, const char *value) override { rank_setenv(name, value); }

    int change_directory(const char *path) override { return thrum::change_directory(path); }

    bool has_own_directory() override { return current_libc().directory.descriptor >= 0; }

    [[noreturn]] void exit_rank(int code) override MAY_SUSPEND { rank_exit(code); }

    bool flush_at_end() override MAY_SUSPEND { return flush_at_ordinary_end(); }
};

constinit Libc the_libc;

} // namespace

CLibrary &libc() {
    return the_libc;
}

} // namespace thrum
