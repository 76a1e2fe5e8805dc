// As much of a test framework as these tests need.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

struct Test {
    const char *name, *file, *tags;
    std::function<void()> run;
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

struct Register {
    Register(Test test) { tests().push_back(std::move(test)); }
};

// TEST(name) or TEST(name, tag). Tests tagged `threads` run under ThreadSanitizer, too.
#define TEST(name, ...)                                                                                                \
    static void name();                                                                                                \
    static const Register register_##name({#name, __FILE__, #__VA_ARGS__, name});                                      \
    static void name()

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "%s:%d: CHECK(%s) failed\n", __FILE__, __LINE__, #condition);                         \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (false)

template <class Error, class F>
std::string caught(F&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}
