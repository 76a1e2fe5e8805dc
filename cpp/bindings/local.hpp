#pragma once

#include <nanobind/nanobind.h>

namespace pathfront {

void register_local(nanobind::module_& m);

} // namespace pathfront
