#pragma once

#include <nanobind/nanobind.h>

namespace pathfront {

void register_graph(nanobind::module_& m);
void register_search(nanobind::module_& m);
void register_bfs(nanobind::module_& m);
void register_delta_stepping(nanobind::module_& m);
void register_schedule(nanobind::module_& m);
void register_adds(nanobind::module_& m);
void register_tree(nanobind::module_& m);
void register_adjacency(nanobind::module_& m);
void register_dicts(nanobind::module_& m);
void register_nearest(nanobind::module_& m);
void register_local(nanobind::module_& m);
void register_centrality(nanobind::module_& m);
void register_measures(nanobind::module_& m);
void register_verify(nanobind::module_& m);
void register_text(nanobind::module_& m);
void register_generate(nanobind::module_& m);

} // namespace pathfront
