#include "check.hpp"

int main() {
    for (const Test& test : tests()) {
        std::printf("%s\n", test.name);
        std::fflush(stdout);
        test.run();
    }
    std::printf("%zu passed, 0 failed\n", tests().size());
}
