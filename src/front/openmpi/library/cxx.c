/* The part of libmpi_cxx.so.40 that programs need because they have included mpicxx.h, whether they
 * use the C++ bindings (which MPI 3.0 removed) or not: its classes are inline but for these
 * functions. Programs that use more of the bindings lack it, which the dynamic loader says at the
 * start. */
struct object {
    void *virtual_functions;
    void *handle;
};

void *thrum_openmpi_comm_null(void);
int MPI_Win_free(void **win);
int MPI_Type_free(void **datatype);

/* MPI::Comm::Comm(), of a base class: its derived class sets the virtual functions. */
void _ZN3MPI4CommC2Ev(struct object *self) {
    self->handle = thrum_openmpi_comm_null();
}

void _ZN3MPI4CommC1Ev(struct object *self) __attribute__((alias("_ZN3MPI4CommC2Ev")));

/* MPI::Win::Free() */
void _ZN3MPI3Win4FreeEv(struct object *self) {
    MPI_Win_free(&self->handle);
}

/* MPI::Datatype::Free() */
void _ZN3MPI8Datatype4FreeEv(struct object *self) {
    MPI_Type_free(&self->handle);
}

/* Calls the function of MPI::Op::Init(). MPI_Op_create gets this one first, and
 * ompi_op_set_cxx_callback() replaces it, so it is never called. */
void ompi_mpi_cxx_op_intercept(void *invec, void *inoutvec, int *len, void **datatype) {
    (void)invec, (void)inoutvec, (void)len, (void)datatype;
    __builtin_trap();
}
