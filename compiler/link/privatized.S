/* Linked into every executable and shared library by mpicc --privatize (compiler/README.md, "The
 * link step"). `state` becomes 1 when ld has checked that all objects are privatised. */
        .section .note.thrum.privatized,"a",@note
        .balign 4
        .long   6, 12, 2                        /* namesz, descsz, type: a module */
        .asciz  "Thrum"
        .balign 4
        .long   1                               /* version of the contract */
        .long   0                               /* state */
        .long   __thrum_rank_distance - .

        .section .data.__thrum_rank_distance,"awG",@progbits,__thrum_rank_distance,comdat
        .weak   __thrum_rank_distance
        .hidden __thrum_rank_distance
        .balign 8
        .type   __thrum_rank_distance, @object
        .size   __thrum_rank_distance, 8
__thrum_rank_distance:
        .quad   0

        .section .note.GNU-stack,"",@progbits
