// Libraries that a rank loads with dlopen are its own: globals, constructors and destructors,
// thread-local variables, dependencies, bindings to the program; and stay until this rank closes
// them.
// ranks: 1 2 8
// plugin: dependency
// plugin: plugin dependency
// link: -rdynamic
#define _GNU_SOURCE
#include "check.h"
#include "plugins/plugin.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

int program_variable = 70;
static int ends, last_end;
static void *handle;
static int rank, size;

void program_hears_of_end(int value) {
    ++ends;
    last_end = value;
}

#define FIND(name) ((__typeof__(name) *)dlsym(handle, #name))

static void expect_fresh(void) {
    struct plugin_state *state = FIND(plugin_state)();
    CHECK_EQUAL(state->constructions, 1);
    CHECK_EQUAL(state->value, 40);
    CHECK(state->pointer == &state->value);
    for (int i = 0; i < 3000; ++i)
        CHECK_EQUAL(state->big[i], 0);
    CHECK_EQUAL(FIND(plugin_next)(), 1);
    CHECK_EQUAL(FIND(plugin_indirect)(), 41);
    CHECK(*FIND(plugin_thread_local)() == &state->value);
    CHECK_EQUAL(*FIND(plugin_thread_counter)(), 7);
    CHECK_EQUAL(*FIND(plugin_thread_zero)(), 0);
    CHECK_EQUAL(FIND(plugin_dependency)(), 1);
    CHECK(*(int **)dlsym(handle, "plugin_exported") == &state->value);
}

static void change(void) {
    struct plugin_state *state = FIND(plugin_state)();
    state->value += rank + 1;
    state->big[2999] = rank;
    for (int i = 0; i < rank; ++i)
        FIND(plugin_next)();
    *FIND(plugin_thread_counter)() += rank;
    *FIND(plugin_thread_zero)() = rank;
    program_variable = 70 + rank;
}

static void expect_changed(void) {
    struct plugin_state *state = FIND(plugin_state)();
    CHECK_EQUAL(state->value, 41 + rank);
    CHECK_EQUAL(*state->pointer, 41 + rank);
    CHECK_EQUAL(state->big[2999], rank);
    CHECK_EQUAL(FIND(plugin_next)(), rank + 2);
    CHECK_EQUAL(FIND(plugin_indirect)(), 42 + rank);
    CHECK_EQUAL(**FIND(plugin_thread_local)(), 41 + rank);
    CHECK_EQUAL(*FIND(plugin_thread_counter)(), 7 + rank);
    CHECK_EQUAL(*FIND(plugin_thread_zero)(), rank);
    CHECK_EQUAL(FIND(plugin_of_program)(), 70 + rank);
}

static void *thread(void *argument) {
    (void)argument;
    CHECK(*FIND(plugin_thread_local)() == &FIND(plugin_state)()->value);
    CHECK_EQUAL(++*FIND(plugin_thread_counter)(), 8);
    CHECK_EQUAL(*FIND(plugin_thread_zero)(), 0);
    CHECK_EQUAL(FIND(plugin_of_program)(), 70 + rank);
    return 0;
}

static void expect_addresses(void) {
    Dl_info info;
    struct link_map *map = 0, *of_symbol = 0;
    void *function = dlsym(handle, "plugin_next");
    CHECK(dladdr(function, &info) && strstr(info.dli_fname, "libplugin.so"));
    CHECK(info.dli_saddr == function && !strcmp(info.dli_sname, "plugin_next"));
    CHECK_EQUAL(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
    CHECK(dladdr1(function, &info, (void **)&of_symbol, RTLD_DL_LINKMAP));
    CHECK(map && map == of_symbol && map->l_addr == (ElfW(Addr))info.dli_fbase);
    CHECK(strstr(map->l_name, "libplugin.so"));
    char folder[4096];
    CHECK_EQUAL(dlinfo(handle, RTLD_DI_ORIGIN, folder), 0);
    CHECK_EQUAL(strncmp(folder, map->l_name, strlen(folder)), 0);
}

static int count_objects(struct dl_phdr_info *info, size_t bytes, void *argument) {
    (void)bytes;
    if (strstr(info->dlpi_name, "libplugin.so"))
        *(ElfW(Addr) *)argument = info->dlpi_addr;
    return 0;
}

static void check_scopes(void) {
    CHECK(!dlsym(RTLD_DEFAULT, "plugin_next") && strstr(dlerror(), "plugin_next"));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2)
        CHECK(dlopen("libplugin.so", RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) == handle);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(dlsym(RTLD_DEFAULT, "plugin_next") == (rank % 2 ? dlsym(handle, "plugin_next") : 0));
    CHECK(dlsym(dlopen(0, RTLD_NOW), "program_variable") == &program_variable);
    CHECK(dlsym(handle, "dependency_next") && !dlsym(handle, "program_variable"));
}

// Closed by one rank: still there for the others; opened again: like new.
static void check_closing(void) {
    if (rank % 2) // once more for RTLD_NOLOAD
        CHECK_EQUAL(dlclose(handle), 0);
    CHECK_EQUAL(ends, 0);
    if (rank % 2 == 0) {
        CHECK_EQUAL(dlclose(handle), 0);
        CHECK(ends == 1 && last_end == 41 + rank);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2 == 0) {
        CHECK(!dlopen("libplugin.so", RTLD_NOW | RTLD_NOLOAD));
        CHECK((handle = dlopen("libplugin.so", RTLD_NOW)));
        program_variable = 70;
        expect_fresh();
    } else {
        CHECK_EQUAL(*FIND(plugin_thread_counter)(), 7 + rank);
        CHECK_EQUAL(FIND(plugin_state)()->big[2999], rank);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2 == 0)
        CHECK_EQUAL(dlclose(handle), 0);
    CHECK_EQUAL(ends, rank % 2 ? 0 : 2);
    if (size > 1) // the C library does not look
        CHECK(dlclose((void *)&ends) != 0 && dlerror());
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(!dlopen("libno_such_plugin.so", RTLD_NOW));
    CHECK(strstr(dlerror(), "libno_such_plugin.so") && !dlerror());

    // Opened by one rank: not there for the others.
    if (rank == size - 1)
        CHECK((handle = dlopen("libplugin.so", RTLD_NOW | RTLD_LOCAL)));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != size - 1) {
        ElfW(Addr) seen = 0;
        dl_iterate_phdr(count_objects, &seen);
        CHECK(!seen && !dlopen("libplugin.so", RTLD_NOW | RTLD_NOLOAD));
        CHECK((handle = dlopen("libplugin.so", RTLD_NOW)));
    }
    CHECK(dlopen("libplugin.so", RTLD_LAZY) == handle);
    CHECK_EQUAL(dlclose(handle), 0);
    expect_fresh();
    expect_addresses();
    change();
    MPI_Barrier(MPI_COMM_WORLD);
    expect_changed();
    ElfW(Addr) seen = 0;
    dl_iterate_phdr(count_objects, &seen);
    CHECK(seen == ((struct link_map *)handle)->l_addr);
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        CHECK_EQUAL(pthread_create(&threads[i], 0, thread, 0), 0);
    for (int i = 0; i < 2; ++i)
        CHECK_EQUAL(pthread_join(threads[i], 0), 0);

    check_scopes();
    check_closing();
    MPI_Finalize();
    return 0;
}
