// expect: compile_error
// The compiler repeats this text; it does not say that a limit stopped the compiler.
#error g++: fatal error: Killed signal terminated program cc1plus: out of memory, virtual memory exhausted
