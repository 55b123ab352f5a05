/* Room for thread-local variables, below those of the executable: ld.so places the blocks of modules in the
 * order in which it has loaded them, and this library is preloaded first. A job of several programs needs it
 * if a later one has more of them than the first, in whose place they lie (src/image/program.cc).
 * Aligned to nothing, so that no gap remains above it. */
        .section .tbss,"awT",@nobits
        .zero   ROOM_BYTES
        .section .note.GNU-stack,"",@progbits
