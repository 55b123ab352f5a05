// The file in which a run of mpiexec --explore leaves its open choices: what each wildcard receive
// and probe took, what it could have taken, and on which others that depends. mpiexec reads it
// (explore/trace_file.h).
//
//   thrum choices, format 1
//   lost                                  causality was given up: nothing follows
//   choice RANK WORD NUMBER KNOWN         the outcome at a position of the rank's record, its
//   number
//                                         among the rank's (0: not complete), and what was known
//                                         when it was posted
//   taken SOURCE [WORD ...] KNOWN         what it took: source, choices of the rank that must have
//                                         been matched before, what the sender knew
//   other SOURCE [WORD ...] KNOWN         what it could have taken
//   end
//
// KNOWN is ": RANK NUMBER WORDS" for each rank of which anything is known: of the outcomes with
// numbers up to NUMBER, and of the first WORDS words of its record.
#pragma once

namespace thrum {

// Begins to keep what the file needs, if this run has one. Called before ranks run.
void prepare_choice_file(int ranks);
// Writes the file, if this run has one. The job has ended well. Returns false if that fails; a line
// says why.
bool write_choice_file();

} // namespace thrum
