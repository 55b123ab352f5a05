/* What of signals needs instructions (libc/signals.h). */
        .text

/* int __sigsetjmp(env, save_mask): notes the rank's mask in env, then the C library's own, which must see
 * our caller's frame. */
        .globl  thrum_sigsetjmp
        .hidden thrum_sigsetjmp
        .type   thrum_sigsetjmp, @function
thrum_sigsetjmp:
        .cfi_startproc
        endbr64
        testl   %esi, %esi
        jz      1f
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        call    thrum_note_mask_for_jump
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %rsi
        .cfi_adjust_cfa_offset -8
        popq    %rdi
        .cfi_adjust_cfa_offset -8
1:      jmp     __sigsetjmp@PLT
        .cfi_endproc
        .size   thrum_sigsetjmp, .-thrum_sigsetjmp

/* void thrum_call_on_stack(signal, info, context, function, stack_high) */
        .globl  thrum_call_on_stack
        .hidden thrum_call_on_stack
        .type   thrum_call_on_stack, @function
thrum_call_on_stack:
        .cfi_startproc
        endbr64
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        movq    %r8, %rsp
        andq    $-16, %rsp
        callq   *%rcx
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   thrum_call_on_stack, .-thrum_call_on_stack

/* What a fault's handler returns to; struct ucontext lies at its stack pointer, as the kernel has made it.
 * The CFI says where in it the registers of the interrupted code are, so that unwinders go on there; the
 * bytes of the instructions are those by which gdb, libgcc and libunwind know the end of a signal's frame.
 * Unwinders look up the address before a return address, which the nop is for. */
        .macro SAVED register, offset   /* DW_CFA_expression: DW_OP_breg7 (rsp) offset */
        .cfi_escape 0x10, \register, 3, 0x77, (\offset & 0x7f) | 0x80, \offset >> 7
        .endm

        .globl  thrum_return_from_fault
        .hidden thrum_return_from_fault
        .type   thrum_return_from_fault, @function
        .cfi_startproc
        .cfi_signal_frame
        .cfi_escape 0x0f, 4, 0x77, 160 & 0x7f | 0x80, 160 >> 7, 0x06 /* CFA: the saved rsp */
        SAVED   0, 144                  /* rax */
        SAVED   1, 136                  /* rdx */
        SAVED   2, 152                  /* rcx */
        SAVED   3, 128                  /* rbx */
        SAVED   4, 112                  /* rsi */
        SAVED   5, 104                  /* rdi */
        SAVED   6, 120                  /* rbp */
        SAVED   7, 160                  /* rsp */
        SAVED   8, 40                   /* r8 to r15 */
        SAVED   9, 48
        SAVED   10, 56
        SAVED   11, 64
        SAVED   12, 72
        SAVED   13, 80
        SAVED   14, 88
        SAVED   15, 96
        SAVED   16, 168                 /* rip */
        nop
thrum_return_from_fault:
        .byte   0x48, 0xc7, 0xc0, 15, 0, 0, 0   /* movq $15 (rt_sigreturn), %rax: this encoding */
        syscall
        .cfi_endproc
        .size   thrum_return_from_fault, .-thrum_return_from_fault

        .section .note.GNU-stack,"",@progbits
