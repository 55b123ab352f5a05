// Uses that the MPI standard forbids, but other MPIs accept and programs rely on, work, and one
// warning comes from each process: MPI_DATATYPE_NULL with count 0 (section 5.1.9), freeing a
// complete collective operation (section 6.12), reductions on MPI_CHAR and logical ones on
// MPI_AINT, MPI_COUNT and MPI_OFFSET (section 6.9.2), and publishing the name of a port that nobody
// has opened (section 11.9.4).
// ranks: 1
// expect: ^thrum: warning: rank 0: MPI_Send: datatype is MPI_DATATYPE_NULL \(at .*; allowed here
// expect: ^thrum: warning: rank 0: MPI_Request_free: the request is of MPI_Iallreduce
// expect: ^thrum: warning: rank 0: MPI_Allreduce: MPI_SUM is not defined on MPI_CHAR
// expect: ^thrum: warning: rank 0: MPI_Allreduce: MPI_LAND is not defined on MPI_AINT
// expect: ^thrum: warning: rank 0: MPI_Publish_name: port_name is "my port"
// expect: ^5 warnings$
#include "world.h"

#include <unistd.h>

static void use_null_datatypes(void) {
    MPI_Request request;
    CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Irecv(NULL, 0, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Bcast(NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD));
    CHECK_SUCCESS(
        MPI_Gather(NULL, 0, MPI_DATATYPE_NULL, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD));
    CHECK_SUCCESS(
        MPI_Alltoall(NULL, 0, MPI_DATATYPE_NULL, NULL, 0, MPI_DATATYPE_NULL, MPI_COMM_WORLD));
}

static void free_collectives(void) {
    MPI_Request request;
    for (int i = 0; i < 3; ++i) {
        int flag = 0, one = 1, sum = 0;
        CHECK_SUCCESS(MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        while (!flag)
            CHECK_SUCCESS(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Request_free(&request));
        CHECK(request == MPI_REQUEST_NULL);
        CHECK_EQUAL(sum, 1);
    }
}

static void reduce(void) {
    char in[] = {1, 7, -3}, out[3], least[3];
    CHECK_SUCCESS(MPI_Allreduce(in, out, 3, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Allreduce(in, least, 3, MPI_CHAR, MPI_MIN, MPI_COMM_WORLD));
    CHECK(memcmp(in, out, 3) == 0 && memcmp(in, least, 3) == 0);
    CHECK_SUCCESS(MPI_Reduce_local(in, out, 3, MPI_CHAR, MPI_SUM));
    CHECK(out[0] == 2 && out[1] == 14 && out[2] == -6);
    CHECK_SUCCESS(MPI_Reduce_local(in, least, 3, MPI_CHAR, MPI_MAX));
    CHECK_EQUAL(least[2], -3);
    MPI_Aint address = 5, truth = 0;
    CHECK_SUCCESS(MPI_Allreduce(&address, &truth, 1, MPI_AINT, MPI_LAND, MPI_COMM_WORLD));
    MPI_Count zero = 0;
    CHECK_SUCCESS(MPI_Reduce_local(&address, &truth, 1, MPI_AINT, MPI_LOR));
    CHECK_EQUAL(truth, 1);
    CHECK_SUCCESS(MPI_Reduce_local(&zero, &truth, 1, MPI_COUNT, MPI_LAND));
    CHECK_EQUAL(truth, 0);
    CHECK_SUCCESS(MPI_Reduce_local(&address, &truth, 1, MPI_OFFSET, MPI_LXOR));
    CHECK_EQUAL(truth, 1);
    CHECK_ERROR(MPI_Reduce_local(in, out, 3, MPI_CHAR, MPI_MINLOC), MPI_ERR_OP);
    CHECK_ERROR(MPI_Reduce_local(&address, &truth, 1, MPI_WCHAR, MPI_SUM), MPI_ERR_OP);
}

static void publish(void) {
    char found[MPI_MAX_PORT_NAME];
    for (int i = 0; i < 2; ++i) {
        CHECK_SUCCESS(MPI_Publish_name("a service of mine", MPI_INFO_NULL, "my port"));
        CHECK_SUCCESS(MPI_Lookup_name("a service of mine", MPI_INFO_NULL, found));
        CHECK(strcmp(found, "my port") == 0);
        CHECK_SUCCESS(MPI_Unpublish_name("a service of mine", MPI_INFO_NULL, "my port"));
    }
}

int main(void) {
    start(NULL, NULL);
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    // The library's output goes through a pipe, in which lines are counted.
    int ends[2], kept = dup(2), warnings = 0;
    char text[20000];
    CHECK(pipe(ends) == 0 && kept >= 0);
    fflush(stderr);
    dup2(ends[1], 2);
    use_null_datatypes();
    free_collectives();
    reduce();
    publish();
    fflush(stderr);
    dup2(kept, 2);
    close(ends[1]);
    long length = read(ends[0], text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    for (const char *at = text; (at = strstr(at, "warning:")); ++at)
        ++warnings;
    printf("%s%d warnings\n", text, warnings);
    return finish();
}
