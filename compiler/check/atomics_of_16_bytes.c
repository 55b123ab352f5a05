// Apart: they need libatomic, with which a program that uses them is linked.
#include "atomics.h"

ATOMICS(128, unsigned __int128)
