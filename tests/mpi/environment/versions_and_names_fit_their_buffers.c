// MPI 5.0 section 9.1.1: "The value of resultlen cannot be larger than
// MPI_MAX_LIBRARY_VERSION_STRING - 1" (MPI_GET_LIBRARY_VERSION); section 9.1.2:
// MPI_GET_PROCESSOR_NAME "returns the name of the processor on which it was called at the moment of
// the call", in C with a null character at name[resultlen].
// ranks: 1 3
#include "world.h"

#include <unistd.h>

int main(int argc, char **argv) {
    start(&argc, &argv);
    static char version_text[MPI_MAX_LIBRARY_VERSION_STRING];
    char name[MPI_MAX_PROCESSOR_NAME], host[256] = "";
    int version = 0, subversion = -1, length = -1;
    CHECK_SUCCESS(MPI_Get_version(&version, &subversion));
    CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
    CHECK_SUCCESS(MPI_Get_library_version(version_text, &length));
    CHECK(length > 0 && length < MPI_MAX_LIBRARY_VERSION_STRING);
    CHECK(version_text[length] == 0 && (int)strlen(version_text) == length);
    CHECK(strstr(version_text, "Thrum"));
    length = -1;
    CHECK_SUCCESS(MPI_Get_processor_name(name, &length));
    CHECK(length > 0 && length < MPI_MAX_PROCESSOR_NAME);
    CHECK(name[length] == 0 && (int)strlen(name) == length);
    CHECK_EQUAL(gethostname(host, sizeof host - 1), 0);
    CHECK(strcmp(name, host) == 0);
    return finish();
}
