/* Context switches for the System V x86-64 ABI. A saved context is a stack pointer to
 *
 *   +0   MXCSR (4 bytes), x87 control word (2), unused (2)
 *   +8   r15 r14 r13 r12 rbx rbp, return address
 *
 * make_context() in context.cc builds the same picture for a fiber that has not run yet. The floating
 * point environment is a rank's own: programs call feenableexcept(). */
        .text

        .macro SAVE_CONTEXT
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        subq    $8, %rsp
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movq    %rsp, (%rdi)
        movl    (%rsp), %eax
        movzwl  4(%rsp), %ecx
        .endm

/* The two control words are compared first: ranks rarely differ in them, and loading them stalls the
 * processor. eax and ecx hold those of the context that was saved. */
        .macro LOAD_CONTEXT
        cmpl    (%rsp), %eax
        jne     8f
        cmpw    4(%rsp), %cx
        je      9f
8:      ldmxcsr (%rsp)
        fldcw   4(%rsp)
9:      addq    $8, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        ret
        .endm

        .globl  thrum_switch_context
        .hidden thrum_switch_context
        .type   thrum_switch_context, @function
        .p2align 6
thrum_switch_context:
        endbr64
        SAVE_CONTEXT
        movq    %rsi, %rsp
        testq   %rdx, %rdx
        jz      1f
        wrfsbase %rdx
1:      LOAD_CONTEXT
        .size   thrum_switch_context, .-thrum_switch_context

        .globl  thrum_switch_context_prctl
        .hidden thrum_switch_context_prctl
        .type   thrum_switch_context_prctl, @function
        .p2align 6
thrum_switch_context_prctl:
        endbr64
        SAVE_CONTEXT
        movq    %rsi, %rsp
        testq   %rdx, %rdx
        jz      1f
        movq    %rdx, %rsi
        movl    $0x1002, %edi           /* ARCH_SET_FS */
        movl    %eax, %r8d
        movl    %ecx, %r9d
        movl    $158, %eax              /* arch_prctl */
        syscall
        movl    %r8d, %eax
        movl    %r9d, %ecx
1:      LOAD_CONTEXT
        .size   thrum_switch_context_prctl, .-thrum_switch_context_prctl

/* r12 = entry, r13 = argument. Unwinders stop here: the return address is undefined. */
        .globl  thrum_start_context
        .hidden thrum_start_context
        .type   thrum_start_context, @function
thrum_start_context:
        .cfi_startproc
        .cfi_undefined rip
        endbr64
        xorl    %ebp, %ebp
        movq    %r13, %rdi
        callq   *%r12
        ud2
        .cfi_endproc
        .size   thrum_start_context, .-thrum_start_context

        .section .note.GNU-stack,"",@progbits
