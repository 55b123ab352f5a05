/* libmpicxx.so.12 without the C++ bindings, which MPI 3.0 removed: compiler wrappers link it to
 * programs that do not use them. Of one that does, the dynamic loader says at the start what it
 * lacks. */
typedef int not_empty;
