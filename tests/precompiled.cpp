// Its precompiled headers serve all tests (CMakeLists.txt); nothing runs it.
int main() {}
