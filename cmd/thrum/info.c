/* thrum info: prints the version, how messages between processes travel and why, and the settings.
 * mpiexec starts it: with one process it describes a larger job, with several this one. */
#include <mpi.h>

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { text_max = 4096 };

/* Defined in the library: see src/fabric/description_export.cc. */
void thrum_debug_describe_fabric(char *text, size_t bytes);

/* Prints each line of `text`, indented. */
static void print_lines(char *text) {
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        printf("  %s\n", line);
}

static const struct {
    const char *name, *variable, *usual;
} settings_of_commands[] = {

#include "thrum/settings_of_commands.inc"
};

/* Prints what mpiexec and the compiler wrappers would find in this environment. */
static void print_settings_of_commands(void) {
    enum { count = sizeof settings_of_commands / sizeof settings_of_commands[0] };

    for (int i = 0; i < count; ++i) {
        const char *value = getenv(settings_of_commands[i].variable);
        printf("  %-20s %s\n", settings_of_commands[i].name,
               value ? value : settings_of_commands[i].usual);
    }
}

static void print_setting(int index) {
    char name[text_max], text[text_max] = "";
    int name_length = sizeof name, verbosity, binding, scope, count;
    unsigned long long size = 0;
    int number = 0;
    MPI_Datatype type;
    MPI_T_enum names;
    MPI_T_cvar_handle handle;
    MPI_T_cvar_get_info(index, name, &name_length, &verbosity, &type, &names, NULL, NULL, &binding,
                        &scope);
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    printf("  %-20s ", name);
    if (type == MPI_CHAR && count <= text_max) {
        MPI_T_cvar_read(handle, text);
        printf("%s\n", text);
    } else if (type == MPI_UNSIGNED_LONG_LONG) {
        MPI_T_cvar_read(handle, &size);
        printf("%llu\n", size);
    } else {
        MPI_T_cvar_read(handle, &number);
        printf("%d\n", number);
    }
    MPI_T_cvar_handle_free(&handle);
}

int main(int argc, char **argv) {
    int rank, size, provided, settings, length;
    char text[text_max], version[MPI_MAX_LIBRARY_VERSION_STRING];
    cpu_set_t cores;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        MPI_Get_library_version(version, &length);
        printf("%s\n", version);
        sched_getaffinity(0, sizeof cores, &cores);
        printf("cores that may be used: %d\n\n", CPU_COUNT(&cores));
        thrum_debug_describe_fabric(text, sizeof text);
        printf("messages between processes%s\n",
               size == 1 ? ", in a job that has several (mpiexec --processes)" : "");
        print_lines(text);
        printf("\nsettings (THRUM_ and the name in capitals sets them; docs/tools.md)\n");
        MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
        MPI_T_cvar_get_num(&settings);
        for (int i = 0; i < settings; ++i)
            print_setting(i);
        print_settings_of_commands();
        MPI_T_finalize();
    }
    MPI_Finalize();
    return 0;
}
