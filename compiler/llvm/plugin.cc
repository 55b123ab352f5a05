// The LLVM pass of mpicc --privatize: makes the variables of a module private to a rank. It runs as
// the last pass over the code, also at -O0, so that all optimisations before see an ordinary
// program. ../README.md is its contract; variables.h, rewrite.h and object.h are its parts.
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "object.h"
#include "rewrite.h"
#include "variables.h"

using namespace llvm;

namespace thrum {
namespace {

// The pass: decides about all variables, rewrites the code, and adds what each object must have.
class Privatize : public PassInfoMixin<Privatize> {
public:
    explicit Privatize(bool optimise) : optimise_(optimise) {}

    static bool isRequired() { return true; } // also without optimisation

    PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
        if (Triple(module.getTargetTriple()).getArch() != Triple::x86_64) {
            module.getContext().emitError("--privatize works for x86-64 only, not for " +
                                          module.getTargetTriple());
            return PreservedAnalyses::all();
        }
        if (module.getNamedMetadata(done_)) // by another option that loads the same plugin
            return PreservedAnalyses::all();
        module.getOrInsertNamedMetadata(done_);
        Variables variables(module);
        Object object(module);
        auto &of_functions =
            analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
        Rewriter::LoopsOf loops_of;
        if (optimise_)
            loops_of = [&](Function &function) -> LoopInfo & {
                return of_functions.getResult<LoopAnalysis>(function);
            };
        Rewriter(module, variables, object, loops_of).run();
        variables.make_writable();
        object.distance(); // the link step looks for it in every module
        object.add_note();
        return PreservedAnalyses::none();
    }

private:
    static constexpr const char *done_ = "thrum.privatized";
    bool optimise_;
};

// Adds the pass at the end of the optimiser.
void add_to_pipeline(ModulePassManager &passes, OptimizationLevel level) {
    bool optimise = level != OptimizationLevel::O0;
    passes.addPass(Privatize(optimise));
    if (optimise) // merges loads of the same slot
        passes.addPass(createModuleToFunctionPassAdaptor(EarlyCSEPass(/*UseMemorySSA=*/true)));
}

} // namespace
} // namespace thrum

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "thrum-privatize", "1", [](PassBuilder &builder) {
                builder.registerOptimizerLastEPCallback(thrum::add_to_pipeline);
            }};
}
