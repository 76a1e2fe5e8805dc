#include <string_view>

#include "check.hpp"
#include "watchdog.hpp"

// A test may take this long; the slowest takes a minute under sanitizers.
constexpr int seconds_per_test = 900;

// core_tests [tag [file [seconds]]]: runs the tests that have the tag ("" or none: all but those that hang), of one
// source file or of all. None may take longer than this many seconds.
int main(int count, char** arguments) {
    const std::string_view tag = count > 1 ? arguments[1] : "", file = count > 2 ? arguments[2] : "";
    Watchdog watchdog(std::chrono::seconds(count > 3 ? std::atoi(arguments[3]) : seconds_per_test));
    std::size_t ran = 0;
    for (const Test& test : tests()) {
        const std::string_view tags = test.tags;
        if ((tag.empty() ? tags == "hangs" : tags != tag) || !std::string_view(test.file).ends_with(file))
            continue;
        ++ran;
        std::printf("%s\n", test.name);
        std::fflush(stdout);
        watchdog.begin(test.name);
        test.run();
    }
    std::printf("%zu passed, 0 failed\n", ran);
    return ran == 0;
}
