/* Parallel HDF5: each rank writes its rows of one dataset collectively and reads those of the next
 * rank. Takes the file's name. */
#include <mpi.h>

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 960, COLUMNS = 50 };

static hid_t chosen(hid_t file_space, int rank, int size) {
    hsize_t start[2] = {(hsize_t)ROWS * rank / size, 0};
    hsize_t count[2] = {(hsize_t)ROWS * (rank + 1) / size - start[0], COLUMNS};
    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL);
    return H5Screate_simple(2, count, NULL);
}

int main(int argc, char **argv) {
    int rank, size, wrong = 0, all_wrong;
    hsize_t shape[2] = {ROWS, COLUMNS};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hid_t space = H5Screate_simple(2, shape, NULL);
    hid_t data =
        H5Dcreate(file, "slabs", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int *values = malloc(sizeof(int) * ROWS * COLUMNS);
    int first = ROWS * rank / size * COLUMNS;
    for (int i = 0; i < ROWS * (rank + 1) / size * COLUMNS - first; i++)
        values[i] = first + i;
    hid_t memory = chosen(space, rank, size);
    herr_t code = H5Dwrite(data, H5T_NATIVE_INT, memory, space, transfer, values);
    int next = (rank + 1) % size;
    H5Sclose(memory);
    memory = chosen(space, next, size);
    code |= H5Dread(data, H5T_NATIVE_INT, memory, space, transfer, values);
    first = ROWS * next / size * COLUMNS;
    for (int i = 0; i < ROWS * (next + 1) / size * COLUMNS - first; i++)
        wrong += values[i] != first + i;
    wrong += code < 0;
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
    H5Pclose(access);
    H5Pclose(transfer);
    if (rank == 0)
        printf("%d wrong\n", all_wrong);
    MPI_Finalize();
    return 0;
}
