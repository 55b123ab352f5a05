// Constants that are addresses, and predefined callbacks, of the programs with Fortran calls.
#include "comm/testing/processes.h"
#include "fortran/sentinels.h"

#include <gtest/gtest.h>

namespace thrum::fortran {
namespace {

// The COMMON blocks and subroutines of one program.
struct Program {
    int bottom, in_place, buffer_automatic, status_ignore, statuses_ignore, errcodes_ignore;
    int unweighted, weights_empty, argv_null, argvs_null;

    // Functions need different addresses only: they are never called.
    static Callback subroutine(Program *program, int number) {
        return reinterpret_cast<Callback>(reinterpret_cast<char *>(program) + 1000 + number);
    }

    thrum_fortran_sentinels sentinels() {
        static constexpr FortranReals reals = {4, 8};
        thrum_fortran_sentinels all{};
        all.integer_bytes = sizeof(MPI_Fint);
        all.reals = &reals;
        all.bottom = &bottom;
        all.in_place = &in_place;
        all.buffer_automatic = &buffer_automatic;
        all.status_ignore = &status_ignore;
        all.statuses_ignore = &statuses_ignore;
        all.errcodes_ignore = &errcodes_ignore;
        all.unweighted = &unweighted;
        all.weights_empty = &weights_empty;
        all.argv_null = &argv_null;
        all.argvs_null = &argvs_null;
        for (int kind = 0; kind < 4; ++kind) {
            all.null_copy[kind] = subroutine(this, 10 + kind);
            all.dup[kind] = subroutine(this, 20 + kind);
            all.null_delete[kind] = subroutine(this, 30 + kind);
        }
        all.conversion_null = subroutine(this, 40);
        return all;
    }
};

Program program, library;

template <class T>
T *as(int &variable) {
    return reinterpret_cast<T *>(&variable);
}

void register_program(Program &with_calls) {
    thrum_fortran_sentinels sentinels = with_calls.sentinels();
    thrum_fortran_register(&sentinels);
}

void expect_conversions(Program &of) {
    EXPECT_EQ(to_buffer(&of.bottom), MPI_BOTTOM);
    EXPECT_EQ(to_buffer(&of.in_place), MPI_IN_PLACE);
    EXPECT_EQ(to_buffer(&of.buffer_automatic), MPI_BUFFER_AUTOMATIC);
    EXPECT_TRUE(is_ignored(&of.status_ignore));
    EXPECT_TRUE(is_ignored(&of.statuses_ignore));
    EXPECT_TRUE(is_ignored_errcodes(&of.errcodes_ignore));
    EXPECT_EQ(to_weights(&of.unweighted), MPI_UNWEIGHTED);
    EXPECT_EQ(to_weights(&of.weights_empty), MPI_WEIGHTS_EMPTY);
    EXPECT_TRUE(is_null_argv(as<char>(of.argv_null)));
    EXPECT_TRUE(is_null_argv(as<char>(of.argvs_null)));
    for (int kind = 0; kind < 4; ++kind) {
        EXPECT_EQ(to_copy_function(Program::subroutine(&of, 10 + kind), kind),
                  reinterpret_cast<Callback>(MPI_COMM_NULL_COPY_FN));
        EXPECT_EQ(to_copy_function(Program::subroutine(&of, 20 + kind), kind),
                  reinterpret_cast<Callback>(MPI_COMM_DUP_FN));
        EXPECT_EQ(to_delete_function(Program::subroutine(&of, 30 + kind), kind),
                  reinterpret_cast<Callback>(MPI_COMM_NULL_DELETE_FN));
    }
    EXPECT_TRUE(is_conversion_null(Program::subroutine(&of, 40)));
}

// Addresses that are not constants of this program pass unchanged.
void expect_no_conversions(Program &of) {
    EXPECT_EQ(to_buffer(&of.bottom), &of.bottom);
    EXPECT_EQ(to_buffer(&of.in_place), &of.in_place);
    EXPECT_FALSE(is_ignored(&of.status_ignore));
    EXPECT_FALSE(is_ignored_errcodes(&of.errcodes_ignore));
    EXPECT_EQ(to_weights(&of.unweighted), &of.unweighted);
    EXPECT_FALSE(is_null_argv(as<char>(of.argv_null)));
    for (int number : {10, 20, 30}) {
        const Callback other = Program::subroutine(&of, number);
        EXPECT_EQ(to_copy_function(other, 0), other);
        EXPECT_EQ(to_delete_function(other, 0), other);
    }
    EXPECT_FALSE(is_conversion_null(Program::subroutine(&of, 40)));
}

TEST(Sentinels, OfEveryProgramOfARankAreConverted) {
    run_processes(1, [](Process &) {
        EXPECT_EQ(programs(), nullptr);
        expect_no_conversions(program);
        register_program(program);
        expect_conversions(program);
        expect_no_conversions(library);
        register_program(library);
        expect_conversions(program);
        expect_conversions(library);
    });
}

// Every object file with Fortran calls may register the blocks that it shares with the others.
TEST(Sentinels, OfTheSameProgramAreKeptOnce) {
    run_processes(1, [](Process &) {
        for (int i = 0; i < 3; ++i)
            register_program(program);
        ASSERT_NE(programs(), nullptr);
        EXPECT_EQ(programs()->next, nullptr);
    });
}

TEST(Sentinels, BelongToTheRankThatRegistersThem) {
    run_processes(4, [](Process &self) {
        if (self.world_rank() % 2)
            register_program(program);
        if (self.world_rank() % 2)
            expect_conversions(program);
        else
            expect_no_conversions(program);
    });
}

// Callbacks of MPI_Keyval_create, of communicators, datatypes and windows have different names.
TEST(Sentinels, CallbacksOfAnotherKindAreThoseOfTheProgram) {
    run_processes(1, [](Process &) {
        register_program(program);
        const Callback of_types = Program::subroutine(&program, 12);
        EXPECT_EQ(to_copy_function(of_types, 1), of_types);
        EXPECT_EQ(to_delete_function(Program::subroutine(&program, 30), 0),
                  reinterpret_cast<Callback>(MPI_COMM_NULL_DELETE_FN));
        EXPECT_NE(to_delete_function(Program::subroutine(&program, 30), 1),
                  reinterpret_cast<Callback>(MPI_COMM_NULL_DELETE_FN));
    });
}

} // namespace
} // namespace thrum::fortran
