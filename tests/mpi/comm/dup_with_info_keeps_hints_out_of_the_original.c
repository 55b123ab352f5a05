// MPI 5.0 section 7.4.2: "MPI_COMM_DUP_WITH_INFO behaves exactly as MPI_COMM_DUP except that the
// hints provided by the argument info are associated with the output communicator newcomm."
// ranks: 1 3
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Info info, used;
    MPI_Comm dup, second;
    int flag, length = 32, result;
    char value[32];
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &dup);
    MPI_Info_set(info, "mpi_assert_no_any_tag",
                 "false"); // the communicator keeps what it was given
    MPI_Info_free(&info);
    MPI_Comm_compare(dup, MPI_COMM_WORLD, &result);
    CHECK_EQUAL(result, MPI_CONGRUENT);
    MPI_Comm_get_info(dup, &used);
    MPI_Info_get_string(used, "mpi_assert_no_any_tag", &length, value, &flag);
    CHECK(!flag || strcmp(value, "true") == 0); // a library may ignore hints, but not change them
    MPI_Info_free(&used);
    MPI_Comm_get_info(MPI_COMM_WORLD, &used);
    length = 32;
    MPI_Info_get_string(used, "mpi_assert_no_any_tag", &length, value, &flag);
    CHECK(!flag || strcmp(value, "false") == 0);
    MPI_Info_free(&used);
    MPI_Comm_dup_with_info(dup, MPI_INFO_NULL, &second);
    int sum = 0, one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, second);
    CHECK_EQUAL(sum, size);
    MPI_Comm_free(&dup);
    MPI_Comm_free(&second);
    return finish();
}
