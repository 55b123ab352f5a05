// MPI 5.0 section 11.4.1: "Some MPI functions may be invoked at any time, including prior to
// calling MPI_INIT or MPI_SESSION_INIT, and following MPI finalization": those of versions, infos,
// error handlers, error classes and strings.
// ranks: 1 3
#include "world.h"

static void handler(MPI_Session *session, int *code, ...) {}

static int check(void) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING], value[20];
    int version = 0, subversion = -1, length = 0, number = -1, flag = 0, buflen = sizeof value;
    MPI_Info info, copy;
    MPI_Errhandler errhandler;
    if (MPI_Get_version(&version, &subversion) || version != MPI_VERSION ||
        subversion != MPI_SUBVERSION)
        return 1;
    if (MPI_Get_library_version(text, &length) || length != (int)strlen(text))
        return 2;
    if (MPI_Info_create(&info) || MPI_Info_set(info, "key", "value") || MPI_Info_dup(info, &copy) ||
        MPI_Info_get_nkeys(copy, &number) || number != 1)
        return 3;
    if (MPI_Info_get_string(copy, "key", &buflen, value, &flag) || !flag || strcmp(value, "value"))
        return 4;
    if (MPI_Info_f2c(MPI_Info_c2f(info)) != info || MPI_Info_delete(info, "key") ||
        MPI_Info_free(&info) || MPI_Info_free(&copy))
        return 5;
    if (MPI_Info_create_env(0, NULL, &info) || MPI_Info_free(&info))
        return 6;
    if (MPI_Session_create_errhandler(handler, &errhandler) ||
        MPI_Errhandler_f2c(MPI_Errhandler_c2f(errhandler)) != errhandler ||
        MPI_Errhandler_free(&errhandler))
        return 7;
    if (MPI_Error_class(MPI_ERR_RANK, &number) || number != MPI_ERR_RANK ||
        MPI_Error_string(MPI_ERR_RANK, text, &length) || length < 1)
        return 8;
    if (MPI_Abi_get_version(&version, &subversion) || version < 1)
        return 9;
    return 0;
}

int main(int argc, char **argv) {
    int failed = check();
    if (failed)
        return failed;
    start(&argc, &argv);
    CHECK_EQUAL(check(), 0);
    finish();
    failed = check();
    return failed ? 20 + failed : 0;
}
