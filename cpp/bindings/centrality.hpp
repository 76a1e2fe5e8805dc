#pragma once

#include <nanobind/nanobind.h>

namespace pathfront {

void register_centrality(nanobind::module_& m);

} // namespace pathfront
