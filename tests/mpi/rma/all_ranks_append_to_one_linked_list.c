// MPI 5.0 section 12.8: "The following example constructs a distributed shared linked list using
// dynamic windows. Initially process 0 creates the head of the list, attaches it to the window, and
// broadcasts the pointer to all MPI processes. All MPI processes then concurrently append N new
// elements to the list."
// ranks: 1 2 6
#include "windows.h"

enum { per_rank = 10 };

typedef struct {
    MPI_Aint disp;
    int rank;
} Pointer;

typedef struct {
    Pointer next;
    int value;
} Element;

static MPI_Win win;
static const Pointer nil = {0, -1};

static MPI_Aint new_element(int value) {
    Element *element;
    MPI_Aint disp;
    MPI_Alloc_mem(sizeof *element, MPI_INFO_NULL, &element);
    element->value = value;
    element->next = nil;
    CHECK_SUCCESS(MPI_Win_attach(win, element, sizeof *element));
    MPI_Get_address(element, &disp);
    return disp;
}

static void append(Pointer *tail, int value) {
    Pointer mine = {new_element(value), rank};
    for (;;) {
        int next_rank = -2;
        MPI_Aint next_disp = 0;
        MPI_Compare_and_swap(&mine.rank, &nil.rank, &next_rank, MPI_INT, tail->rank,
                             MPI_Aint_add(tail->disp, offsetof(Element, next.rank)), win);
        MPI_Win_flush(tail->rank, win);
        if (next_rank == nil.rank) {
            MPI_Accumulate(&mine.disp, 1, MPI_AINT, tail->rank,
                           MPI_Aint_add(tail->disp, offsetof(Element, next.disp)), 1, MPI_AINT,
                           MPI_REPLACE, win);
            MPI_Win_flush(tail->rank, win);
            *tail = mine;
            return;
        }
        do { // it is being written
            MPI_Get_accumulate(NULL, 0, MPI_AINT, &next_disp, 1, MPI_AINT, tail->rank,
                               MPI_Aint_add(tail->disp, offsetof(Element, next.disp)), 1, MPI_AINT,
                               MPI_NO_OP, win);
            MPI_Win_flush(tail->rank, win);
        } while (next_disp == nil.disp);
        *tail = (Pointer){next_disp, next_rank};
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    Pointer head = {0, 0};
    if (rank == 0)
        head.disp = new_element(-1);
    MPI_Bcast(&head.disp, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    Pointer tail = head;
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < per_rank; ++i)
        append(&tail, rank * per_rank + i);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    // Everybody walks along the list: all elements are there, each rank's in its order.
    int found = 0, last[64];
    for (int r = 0; r < size; ++r)
        last[r] = -1;
    MPI_Win_lock_all(0, win);
    for (Pointer at = head; at.rank != nil.rank; ++found) {
        Element element;
        MPI_Get(&element, sizeof element, MPI_BYTE, at.rank, at.disp, sizeof element, MPI_BYTE,
                win);
        MPI_Win_flush(at.rank, win);
        if (found > 0) {
            CHECK(element.value % per_rank == last[element.value / per_rank] + 1);
            last[element.value / per_rank] = element.value % per_rank;
        }
        at = element.next;
    }
    MPI_Win_unlock_all(win);
    CHECK_EQUAL(found, 1 + per_rank * size);
    MPI_Win_free(&win);
    return finish();
}
