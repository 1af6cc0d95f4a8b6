#include "diagnosis/explanation.hpp"

namespace lab::judge {

// Verdicts that are hazards as well (race, out_of_bounds ...) are explained in hazard_text.cpp.
std::vector<explanation> verdict_explanations() {
  constexpr std::string_view verdict = "verdict";
  return {
      {"pass", verdict,
       "Every output of every case is right, no access was illegal or unordered, and every gate is met. Nothing that "
       "the kernel printed or returned counted.",
       "The kernel does what the lab asks.", "Time it with ./lab bench, then go on with ./lab next."},
      {"wrong_answer", verdict,
       "The kernel ran to its end, but some element of an output is not what the reference computes. The message names "
       "the first one in the lab's own coordinates and draws the wrong region.",
       "An index that is not the right one for every thread, or a part of the work that nobody does.",
       "Take the first wrong element and compute by hand which thread writes it, and what it reads."},
      {"input_modified", verdict,
       "After the call an input array holds something else than before. An array that the signature calls const must "
       "come back unchanged.",
       "The arguments are passed in the wrong order, or the result is stored through an input's pointer.",
       "Look at every store: is the array on the left of = an output?"},
      {"crash", verdict,
       "The program was ended by a signal, such as SIGSEGV, before the launcher returned. On the host that is an "
       "access "
       "to memory that it may not touch.",
       "Host code follows a device pointer, or a pointer that was never set.",
       "Look at the host code: does it read or write an array element anywhere without cudaMemcpy?"},
      {"timeout", verdict,
       "The case did not end within its limit, so the program was stopped. Most kernels of the labs need milliseconds.",
       "A loop whose end is never reached: its variable does not advance, or the condition looks at something else.",
       "Look at every loop: which variable ends it, and does each round change that variable?"},
      {"memory_limit", verdict,
       "The program took more host memory than it may, and was stopped. The labs' arrays are far smaller.",
       "An array is allocated again and again in a loop, or its size is computed wrongly.",
       "Look at every allocation: is its size in bytes, and is it freed?"},
      {"output_limit", verdict,
       "The program printed more than is kept, and was stopped. Printing counts for nothing in any case.",
       "A printf in a kernel is run by every thread.",
       "Let one thread print: if (blockIdx.x == 0 && threadIdx.x == 0)."},
      {"exited_early", verdict,
       "The program ended by itself before the launcher had returned. What it printed and its exit code count for "
       "nothing.",
       "exit() or abort() is called in host code, or by an error check.",
       "Let the launcher return; read what it printed just before."},
      {"compile_error", verdict,
       "The compiler does not accept the kernel, or cannot find the launcher that lab.hpp declares. Nothing was run.",
       "A missing semicolon or bracket, a misspelt name, or a launcher whose parameters differ from lab.hpp.",
       "Read the first error only: the others often follow from it. It names the line."},
      {"compile_limit", verdict,
       "The compiler was stopped, since it took too long or needed too much memory or room. Nothing was run.",
       "Templates or macros that expand without end, or a huge array with initial values.",
       "Undo the last change, and make it again in smaller steps."},
      {"collect_error", verdict, "No kernel for this lab could be taken from the submission. Nothing was compiled.",
       "The file has another name than NN_*.cu or labs/NN_name/kernel.cu, or the archive is damaged.",
       "Look at the names of the files in the submission."},
      {"rejected", verdict,
       "The submission holds something that is not accepted, such as a link that leads out of it. Nothing was "
       "compiled.",
       "An archive that was made with links, devices or absolute paths.",
       "Pack the kernel files alone and submit again."},
      {"protocol_violation", verdict,
       "The program that runs the kernel answered something else than was asked, or twice. Such an answer counts for "
       "nothing.",
       "Host code that writes into memory or files that are not its own, on purpose or through a stray pointer.",
       "Reduce the host code to what the lab asks: launch, and nothing else."},
      {"nondeterministic", verdict,
       "Of two calls with the same inputs one was right and one was wrong. So the answer depends on what memory held "
       "before, or on which thread came first.",
       "A missing __syncthreads(), or a value that is added to memory that nobody set.",
       "Follow the message's line; without one, look for the first read of each array: who has written it before?"},
      {"gate", verdict,
       "The answer is right, but the kernel moves more data than this lab allows: more sectors, more loads, or bank "
       "conflicts. It is counted on the simulator, so it is the same on every machine.",
       "The idea of the lab is not used yet: neighbouring threads take distant elements, or a value is loaded anew "
       "instead of kept.",
       "Run ./lab profile on the lab and look at the line marked with >."},
      {"infra_error", verdict,
       "Something went wrong on this machine, not in the kernel. The case says nothing about it.",
       "A full disk, a missing program, or a limit of the system.", "Run ./lab doctor, and mend what it names."},
      {"skipped", verdict, "This case was not run, and that is no failure. The reason stands beside it.",
       "The back end or the device cannot run this lab, or an earlier case ended the program.",
       "Mend the first failed case; or try the other --backend."},
  };
}

}  // namespace lab::judge
