#include "check.hpp"

#include <string_view>

// Runs all tests, or those whose name contains the argument.
int main(int count, char** arguments) {
    const std::string_view wanted = count > 1 ? arguments[1] : "";
    std::size_t ran = 0;
    for (const Test& test : tests()) {
        if (std::string_view(test.name).find(wanted) == std::string_view::npos)
            continue;
        ++ran;
        std::printf("%s\n", test.name);
        std::fflush(stdout);
        test.run();
    }
    std::printf("%zu passed, 0 failed\n", ran);
    return ran == 0;
}
