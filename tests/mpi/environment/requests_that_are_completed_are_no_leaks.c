// MPI 5.0 sections 3.7.3 to 3.9: each way in which a request ends. None of them is reported when
// MPI_Finalize looks for requests that were never completed.
// ranks: 2 5
// expect-not: warning
#include "check.h"

#include <stdlib.h>

enum { large = 1 << 18 };

static int left, right, *sent, *received;

static MPI_Request send(int count, int tag) {
    MPI_Request request;
    MPI_Isend(sent, count, MPI_INT, right, tag, MPI_COMM_WORLD, &request);
    return request;
}

static MPI_Request receive(int count, int tag) {
    MPI_Request request;
    MPI_Irecv(received, count, MPI_INT, left, tag, MPI_COMM_WORLD, &request);
    return request;
}

static void waits_and_tests(int count) {
    MPI_Request requests[2] = {receive(count, 1), send(count, 1)};
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    int index, done = 0, outcount, indices[2];
    requests[0] = receive(count, 2), requests[1] = send(count, 2);
    for (int i = 0; i < 2; ++i)
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    requests[0] = receive(count, 3), requests[1] = send(count, 3);
    while (!done)
        MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    requests[0] = receive(count, 4), requests[1] = send(count, 4);
    for (done = 0; done < 2; done += outcount == MPI_UNDEFINED ? 0 : outcount)
        MPI_Testsome(2, requests, &outcount, indices, MPI_STATUSES_IGNORE);
    requests[0] = receive(count, 5), requests[1] = send(count, 5);
    for (done = 0; !done;)
        MPI_Request_get_status_all(2, requests, &done, MPI_STATUSES_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

static void freed(int count) {
    MPI_Request request = send(count, 6);
    MPI_Request_free(&request);
    MPI_Recv(received, count, MPI_INT, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    request = receive(count, 7);
    MPI_Request_free(&request);
    MPI_Send(sent, count, MPI_INT, right, 7, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void cancelled(void) {
    MPI_Request request = receive(1, 8);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Issend(sent, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void persistent(void) {
    MPI_Request all[3];
    MPI_Send_init(sent, 1, MPI_INT, right, 10, MPI_COMM_WORLD, &all[0]);
    MPI_Recv_init(received, 1, MPI_INT, left, 10, MPI_COMM_WORLD, &all[1]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &all[2]);
    for (int i = 0; i < 3; ++i) {
        MPI_Startall(3, all);
        MPI_Waitall(3, all, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 3; ++i)
        MPI_Request_free(&all[i]);
}

static int query(void *state, MPI_Status *status) {
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return state ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int forget(void *state) {
    return state ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int stop(void *state, int complete) {
    return state ? complete : MPI_SUCCESS;
}

static void others(void) {
    MPI_Request request;
    MPI_Grequest_start(query, forget, stop, NULL, &request);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Grequest_start(query, forget, stop, NULL, &request);
    MPI_Request kept = request;
    MPI_Request_free(&request);
    MPI_Grequest_complete(kept);
    MPI_Isendrecv(sent, 1, MPI_INT, right, 11, received, 1, MPI_INT, left, 11, MPI_COMM_WORLD,
                  &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Iallreduce(sent, received, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Buffer_iflush(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm comm;
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Win win;
    MPI_Win_create(received, sizeof *received, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    MPI_Rget(sent, 1, MPI_INT, right, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size, right = (rank + 1) % size;
    sent = calloc(large, sizeof *sent), received = calloc(large, sizeof *received);
    for (int count = 1; count <= large; count *= 64) {
        waits_and_tests(count);
        freed(count);
    }
    cancelled();
    persistent();
    others();
    MPI_Finalize();
    free(sent), free(received);
    return 0;
}
