/* The note of the linker about a removed function: GNU ld prints the text of a section
 * .gnu.warning.SYMBOL once if the program refers to the symbol. */
#ifndef THRUM_REMOVED_NOTE_H
#define THRUM_REMOVED_NOTE_H

#define THRUM_NOTE(symbol, text)                                                                   \
    __asm__(".pushsection .gnu.warning." #symbol ",\"\",@progbits\n.asciz \"" text                 \
            "\"\n.popsection\n")

#endif
