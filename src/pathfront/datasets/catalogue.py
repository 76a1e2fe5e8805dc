"""The public graphs that are known by name: the 9th DIMACS Challenge, SNAP, the SuiteSparse Matrix Collection.

These are the graphs of the four papers as far as they are named there, and others that are often measured. Counts are
those that the collections publish. Checksums and sizes are of files that were at hand; the others are recorded at the
first download (`cache.py`).
"""

from __future__ import annotations

from pathfront.datasets.dataset import Dataset

_DIMACS9 = "https://www.diag.uniroma1.it/challenge9/data"
_SNAP = "https://snap.stanford.edu/data"
_SUITESPARSE = "https://sparse.tamu.edu/MM"

_CHECKED = {
    "USA-road-d.NY.gr.gz": (3_667_907, "7b2446c7ffe6179efbc42af6812448e8cb782f12968ca2bb1d50d979343056d4"),
    "USA-road-t.NY.gr.gz": (3_767_743, "de902573142dbf12c42b065d9a6a679e4794372eb91d2748ee78089720377156"),
    "USA-road-d.NY.co.gz": (2_058_598, "02547a628742164e02bd73f59e33a65d23dfac8fc54c09275c8b9169c38eafdf"),
    "rome99.gr": (135_634, "cbc914b1d02327c2ea788b6f68a332995feadbdc97c1c7890c5e6272152f099d"),
    "wiki-Vote.txt.gz": (290_474, "a5e664dd54c8fb4552deb9b80138641cef0357119152e12cfab1e47104ce71ff"),
    "soc-Epinions1.txt.gz": (1_564_598, "2d60c65c17a901f5fdc1b198f732e990ea0adc8de278bc562950a6b17e289749"),
    "soc-Slashdot0902.txt.gz": (3_246_154, "202d7b334dd74ad7cb9c441256db0f13c5a45eeb033ce32e6b94079ff425d588"),
    "email-Enron.txt.gz": (1_055_841, "cdead4d45919a54641c2aa5b3dbcc4d1dc015e0eb0471c8f955a9482a9c9b673"),
}
"""The size and the SHA-256 of files, by their names."""

_ROADS = (
    ("NY", 264_346, 733_846, "New York City"),
    ("BAY", 321_270, 800_172, "San Francisco Bay Area"),
    ("COL", 435_666, 1_057_066, "Colorado"),
    ("FLA", 1_070_376, 2_712_798, "Florida"),
    ("NW", 1_207_945, 2_840_208, "the northwest of the USA"),
    ("NE", 1_524_453, 3_897_636, "the northeast of the USA"),
    ("CAL", 1_890_815, 4_657_742, "California and Nevada"),
    ("LKS", 2_758_119, 6_885_658, "the Great Lakes"),
    ("E", 3_598_623, 8_778_114, "the east of the USA"),
    ("W", 6_262_104, 15_248_146, "the west of the USA"),
    ("CTR", 14_081_816, 34_292_496, "the centre of the USA"),
    ("USA", 23_947_347, 58_333_344, "the USA"),
)

# Names, the path below the collection's address, vertices, arcs, whether each edge is listed once, and what it shows.
_NETWORKS = (
    ("wiki-Vote", "", 7_115, 103_689, False, "votes for administrators of Wikipedia"),
    ("soc-Epinions1", "", 75_879, 508_837, False, "who trusts whom at Epinions"),
    ("soc-Slashdot0811", "", 77_360, 905_468, False, "friends and foes at Slashdot, November 2008"),
    ("soc-Slashdot0902", "", 82_168, 948_464, False, "friends and foes at Slashdot, February 2009"),
    ("email-Enron", "", 36_692, 367_662, False, "e-mail within Enron"),
    ("email-EuAll", "", 265_214, 420_045, False, "e-mail of a research institution"),
    ("p2p-Gnutella31", "", 62_586, 147_892, False, "hosts of the Gnutella network"),
    ("amazon0601", "", 403_394, 3_387_388, False, "products bought together"),
    ("web-NotreDame", "", 325_729, 1_497_134, False, "web pages of the University of Notre Dame"),
    ("web-Stanford", "", 281_903, 2_312_497, False, "web pages of Stanford University"),
    ("web-BerkStan", "", 685_230, 7_600_595, False, "web pages of Berkeley and Stanford"),
    ("web-Google", "", 875_713, 5_105_039, False, "web pages, as given by Google"),
    ("wiki-Talk", "", 2_394_385, 5_021_410, False, "who wrote on whose talk page of Wikipedia"),
    ("cit-Patents", "", 3_774_768, 16_518_948, False, "citations among US patents"),
    ("soc-LiveJournal1", "", 4_847_571, 68_993_773, False, "friends at LiveJournal"),
    ("soc-pokec-relationships", "", 1_632_803, 30_622_564, False, "friends at Pokec"),
    ("roadNet-PA", "", 1_088_092, 3_083_796, False, "roads of Pennsylvania, without weights"),
    ("roadNet-TX", "", 1_379_917, 3_843_320, False, "roads of Texas, without weights"),
    ("roadNet-CA", "", 1_965_206, 5_533_214, False, "roads of California, without weights"),
    ("as-skitter", "", 1_696_415, 22_190_596, True, "the internet, by traceroutes"),
    ("com-dblp", "bigdata/communities/", 317_080, 2_099_732, True, "who wrote papers together"),
    ("com-amazon", "bigdata/communities/", 334_863, 1_851_744, True, "products bought together"),
    ("com-youtube", "bigdata/communities/", 1_134_890, 5_975_248, True, "friends at YouTube"),
    ("com-lj", "bigdata/communities/", 3_997_962, 69_362_378, True, "friends at LiveJournal, undirected"),
    ("com-orkut", "bigdata/communities/", 3_072_441, 234_370_166, True, "friends at Orkut"),
)

_MATRICES = (
    ("INPRO", "msdoor", 415_863, 20_240_935, "a door, finite elements"),
    ("BenElechi", "BenElechi1", 245_874, 13_150_496, "a structural problem"),
    ("Schenk_IBMNA", "c-big", 345_241, 2_340_859, "an optimisation problem"),
    ("Freescale", "Freescale1", 3_428_755, 18_920_347, "a circuit"),
    ("AMD", "G3_circuit", 1_585_478, 7_660_826, "a circuit"),
    ("Schmid", "thermal2", 1_228_045, 8_580_313, "heat, finite elements"),
    ("GHS_psdef", "ldoor", 952_203, 46_522_475, "a large door, finite elements"),
    ("GHS_psdef", "audikw_1", 943_695, 77_651_847, "a crankshaft, finite elements"),
    ("vanHeukelum", "cage14", 1_505_785, 27_130_349, "a model of DNA electrophoresis"),
    ("McRae", "ecology1", 1_000_000, 4_996_000, "movements of animals on a grid"),
    ("McRae", "ecology2", 999_999, 4_995_991, "movements of animals on a grid"),
    ("Gleich", "flickr", 820_878, 9_837_214, "links between users of Flickr"),
    ("LAW", "hollywood-2009", 1_139_905, 113_891_327, "actors of the same films"),
    ("DIMACS10", "coAuthorsDBLP", 299_067, 1_955_352, "who wrote papers together"),
    ("DIMACS10", "coPapersDBLP", 540_486, 30_491_458, "papers of the same authors"),
    ("DIMACS10", "delaunay_n20", 1 << 20, 6_291_372, "a Delaunay triangulation of random points"),
    ("DIMACS10", "delaunay_n21", 1 << 21, 12_582_816, "a Delaunay triangulation of random points"),
    ("DIMACS10", "delaunay_n22", 1 << 22, 25_165_738, "a Delaunay triangulation of random points"),
    ("DIMACS10", "delaunay_n23", 1 << 23, 50_331_568, "a Delaunay triangulation of random points"),
    ("DIMACS10", "delaunay_n24", 1 << 24, 100_663_202, "a Delaunay triangulation of random points"),
    ("DIMACS10", "rgg_n_2_20_s0", 1 << 20, 13_783_240, "random points, those near each other joined"),
    ("DIMACS10", "kron_g500-logn16", 1 << 16, 4_912_469, "a Kronecker graph of the Graph 500"),
    ("DIMACS10", "kron_g500-logn17", 1 << 17, 10_228_360, "a Kronecker graph of the Graph 500"),
    ("DIMACS10", "kron_g500-logn18", 1 << 18, 21_165_908, "a Kronecker graph of the Graph 500"),
    ("DIMACS10", "kron_g500-logn19", 1 << 19, 43_562_265, "a Kronecker graph of the Graph 500"),
    ("DIMACS10", "kron_g500-logn20", 1 << 20, 89_239_674, "a Kronecker graph of the Graph 500"),
    ("DIMACS10", "kron_g500-logn21", 1 << 21, 182_082_942, "a Kronecker graph of the Graph 500"),
    ("DIMACS10", "luxembourg_osm", 114_599, 239_332, "roads of Luxembourg, without weights"),
    ("DIMACS10", "netherlands_osm", 2_216_688, 4_882_476, "roads of the Netherlands, without weights"),
    ("DIMACS10", "germany_osm", 11_548_845, 24_738_362, "roads of Germany, without weights"),
    ("DIMACS10", "asia_osm", 11_950_757, 25_423_206, "roads of Asia, without weights"),
    ("DIMACS10", "road_usa", 23_947_347, 57_708_624, "roads of the USA, without weights"),
    ("DIMACS10", "europe_osm", 50_912_018, 108_109_320, "roads of Europe, without weights"),
)


def _dataset(collection: str, url: str, name: str, n: int, m: int, about: str, **more: object) -> Dataset:
    file = url.rpartition("/")[2]
    if file.endswith(".tar.gz"):
        file = file.removesuffix(".tar.gz") + ".mtx"
    size, checksum = _CHECKED.get(file, (None, None))
    return Dataset(name, collection, url, n, m, about, file, checksum, size, **more)  # type: ignore[arg-type]


def _roads() -> list[Dataset]:
    rome = _dataset("dimacs9", f"{_DIMACS9}/rome/rome99.gr", "rome99", 3_353, 8_870, "roads of Rome, distances")
    found = [rome]
    for area, n, m, about in _ROADS:
        where = f"{_DIMACS9}/USA-road-d/USA-road-d.{area}.co.gz"
        points = _dataset("dimacs9", where, f"USA-road-d.{area}.co", n, 0, f"coordinates of {about}")
        for kind, weights in (("d", "distances"), ("t", "travel times")):
            name = f"USA-road-{kind}.{area}"
            url = f"{_DIMACS9}/USA-road-{kind}/{name}.gr.gz"
            found.append(_dataset("dimacs9", url, name, n, m, f"roads of {about}, {weights}", coordinates=points))
    return found


def _networks() -> list[Dataset]:
    found = []
    for name, folder, n, m, once, about in _NETWORKS:
        ending = ".ungraph.txt.gz" if folder else ".txt.gz"
        options = {"directed": False} if once else {}
        found.append(_dataset("snap", f"{_SNAP}/{folder}{name}{ending}", name, n, m, about, read_options=options))
    return found


def _matrices() -> list[Dataset]:
    return [
        _dataset("suitesparse", f"{_SUITESPARSE}/{group}/{name}.tar.gz", name, n, m, about)
        for group, name, n, m, about in _MATRICES
    ]


DATASETS: dict[str, Dataset] = {each.name: each for each in (*_roads(), *_networks(), *_matrices())}
"""All graphs by name, in the order of the collections."""
