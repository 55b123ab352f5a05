// ranks: 8 64
// Symbols of the kind STB_GNU_UNIQUE, which g++ makes of inline variables and which ld.so binds to
// one definition in the whole process: in the program itself, each rank has its own.
// flags: -rdynamic
#define _GNU_SOURCE
#include "torture.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

__asm__(".pushsection .data\n"
        ".balign 8\n"
        ".globl unique_number\n"
        ".type unique_number, @gnu_unique_object\n"
        ".size unique_number, 8\n"
        "unique_number: .quad 5\n"
        ".globl unique_pointer\n"
        ".type unique_pointer, @gnu_unique_object\n"
        ".size unique_pointer, 8\n"
        "unique_pointer: .quad unique_number\n"
        ".popsection\n");
extern long unique_number, *unique_pointer;
static long *address = &unique_number;

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_EQUAL(unique_number, 5);
    CHECK(unique_pointer == &unique_number && address == unique_pointer);
    unique_number += rank;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(*unique_pointer, 5 + rank);
    CHECK(dlsym(RTLD_DEFAULT, "unique_number") == &unique_number);
    // It is of that kind indeed.
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    CHECK(dladdr1(&unique_number, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0);
    CHECK(symbol && ELF64_ST_BIND(symbol->st_info) == STB_GNU_UNIQUE);
    MPI_Finalize();
    return 0;
}
