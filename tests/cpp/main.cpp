#include "check.hpp"

#include <string_view>

// core_tests [tag [file]]: runs the tests that have the tag ("" or none: all tests), of one source file or of all.
int main(int count, char** arguments) {
    const std::string_view tag = count > 1 ? arguments[1] : "", file = count > 2 ? arguments[2] : "";
    std::size_t ran = 0;
    for (const Test& test : tests()) {
        if ((!tag.empty() && test.tags != tag) || !std::string_view(test.file).ends_with(file))
            continue;
        ++ran;
        std::printf("%s\n", test.name);
        std::fflush(stdout);
        test.run();
    }
    std::printf("%zu passed, 0 failed\n", ran);
    return ran == 0;
}
