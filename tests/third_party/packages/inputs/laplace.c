/* PETSc: the 5-point Laplacian of a square, solved by conjugate gradients. Prints the iterations,
 * and the distance from the known solution. */
#include <petscksp.h>

enum { EDGE = 40 };

int main(int argc, char **argv) {
    Mat matrix;
    Vec known, right, found;
    KSP solver;
    PetscInt begin, end, iterations;
    PetscReal distance;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(MatCreate(PETSC_COMM_WORLD, &matrix));
    PetscCall(MatSetSizes(matrix, PETSC_DECIDE, PETSC_DECIDE, EDGE * EDGE, EDGE * EDGE));
    PetscCall(MatSetFromOptions(matrix));
    PetscCall(MatSetUp(matrix));
    PetscCall(MatGetOwnershipRange(matrix, &begin, &end));
    for (PetscInt row = begin; row < end; row++) {
        PetscInt x = row % EDGE, y = row / EDGE;
        PetscCall(MatSetValue(matrix, row, row, 4, INSERT_VALUES));
        if (x > 0)
            PetscCall(MatSetValue(matrix, row, row - 1, -1, INSERT_VALUES));
        if (x < EDGE - 1)
            PetscCall(MatSetValue(matrix, row, row + 1, -1, INSERT_VALUES));
        if (y > 0)
            PetscCall(MatSetValue(matrix, row, row - EDGE, -1, INSERT_VALUES));
        if (y < EDGE - 1)
            PetscCall(MatSetValue(matrix, row, row + EDGE, -1, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatCreateVecs(matrix, &known, &right));
    PetscCall(VecDuplicate(known, &found));
    for (PetscInt row = begin; row < end; row++)
        PetscCall(VecSetValue(known, row, 1 + row % 7, INSERT_VALUES));
    PetscCall(VecAssemblyBegin(known));
    PetscCall(VecAssemblyEnd(known));
    PetscCall(MatMult(matrix, known, right));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
    PetscCall(KSPSetOperators(solver, matrix, matrix));
    PetscCall(KSPSetType(solver, KSPCG));
    PC preconditioner;
    PetscCall(KSPGetPC(solver, &preconditioner));
    PetscCall(PCSetType(preconditioner, PCJACOBI)); /* the same for each number of ranks */
    PetscCall(KSPSetTolerances(solver, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, 1000));
    PetscCall(KSPSetFromOptions(solver));
    PetscCall(KSPSolve(solver, right, found));
    PetscCall(KSPGetIterationNumber(solver, &iterations));
    PetscCall(VecAXPY(found, -1, known));
    PetscCall(VecNorm(found, NORM_INFINITY, &distance));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d iterations, %s\n", (int)iterations,
                          distance < 1e-6 ? "solved" : "not solved"));
    PetscCall(KSPDestroy(&solver));
    PetscCall(MatDestroy(&matrix));
    PetscCall(VecDestroy(&known));
    PetscCall(VecDestroy(&right));
    PetscCall(VecDestroy(&found));
    return PetscFinalize();
}
