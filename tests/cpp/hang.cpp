// A test that hangs, for the test of the watchdog; it runs only if it is asked for by its tag.
#include <atomic>

#include "check.hpp"

TEST(waits_for_ever, hangs) {
    const std::atomic<int> never = 0;
    never.wait(0);
}
