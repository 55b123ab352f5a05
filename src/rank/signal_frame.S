/* What of signals needs instructions (rank/signals.h). */
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

/* void thrum_return_to_context(context): the kernel looks for the frame where a signal trampoline's
 * "ret" would have left the stack pointer. */
        .globl  thrum_return_to_context
        .hidden thrum_return_to_context
        .type   thrum_return_to_context, @function
thrum_return_to_context:
        .cfi_startproc
        .cfi_undefined rip
        endbr64
        movq    %rdi, %rsp
        movl    $15, %eax               /* rt_sigreturn */
        syscall
        ud2
        .cfi_endproc
        .size   thrum_return_to_context, .-thrum_return_to_context

        .section .note.GNU-stack,"",@progbits
