"""Modules of Python's own, converted function by function, against themselves."""

import importlib.util
import sys
import types

import pytest
from frontend.table import Outcome, assert_same, observe

from hybrid.errors import UnsupportedError
from hybrid.frontend import convert

TEXT = (
    "The quick brown fox, it jumps over the lazy dog;\n  and then\tsleeps for 3.5 hours.\n\nA second paragraph-with-hyphens follows here. "
)
NESTED = {"a": [1, 2.5, None, True, "text \u00e9\n"], "b": {"c": {}, "d": []}, "e": -1e300, "f": '\\"/'}

CALLS = {
    "heapq": [
        lambda m: [h := [5, 2, 8, 1], m.heapify(h), m.heappush(h, 0), m.heappop(h), m.heapreplace(h, 9), h],
        lambda m: (m.nsmallest(2, [3, 1, 2]), m.nlargest(2, "hello", key=ord), list(m.merge([1, 4], [2, 3]))),
        lambda m: m.heappop([]),
    ],
    "bisect": [
        lambda m: [f([1, 3, 3, 5], x) for f in (m.bisect_left, m.bisect_right) for x in range(7)],
        lambda m: m.bisect([1], 1, lo=-1),
    ],
    "textwrap": [
        lambda m: m.wrap(TEXT, 20),
        lambda m: (m.fill(TEXT, 30, initial_indent="* "), m.shorten(TEXT, 25), m.dedent("  a\n   b\n"), m.indent("a\nb\n", "> ")),
        lambda m: m.wrap(TEXT, 0),
    ],
    "difflib": [
        lambda m: list(m.unified_diff("one\ntwo\nthree".split(), "one\ntoo\nthree\nfour".split(), lineterm="")),
        lambda m: list(m.ndiff(["ab c", "x"], ["abc", "x", "y"])),
        lambda m: (m.SequenceMatcher(None, "abcd", "bcde").ratio(), m.get_close_matches("appel", ["ape", "apple", "peach"])),
        lambda m: m.SequenceMatcher(None, "qabxcd", "abycdf").get_opcodes(),
    ],
    "statistics": [
        lambda m: [f([1, 2.5, 4, 4]) for f in (m.mean, m.median, m.stdev, m.pvariance, m.mode, m.harmonic_mean, m.geometric_mean)],
        lambda m: (m.quantiles([1, 2, 3, 4, 5]), m.linear_regression([1, 2, 3], [2, 4, 7]), m.median_grouped([1, 2, 2, 3])),
        lambda m: m.mean([]),
        lambda m: (m.NormalDist(1, 2).cdf(0.5), m.NormalDist.from_samples([1, 2, 4]).stdev, m.multimode("aabbc")),
    ],
    "json.decoder": [
        lambda m: m.JSONDecoder().decode('{"a": [1, 2.5, null, true, "x\\u00e9\\n"], "b": {}}'),
        lambda m: m.py_scanstring('abc\\"d\\ud83d\\ude00"', 0),
        lambda m: m.JSONDecoder().decode("{'a': 1}"),
        lambda m: m.JSONDecoder().decode("[1, 2] x"),
    ],
    "json.encoder": [
        lambda m: (m.JSONEncoder(indent=2, sort_keys=True).encode(NESTED), m.py_encode_basestring_ascii("é\n")),
        lambda m: m.JSONEncoder().encode({1: object()}),
        lambda m: m.JSONEncoder(allow_nan=False, indent=1).encode([float("nan")]),
    ],
    "fractions": [
        lambda m: [
            str(x) for x in (m.Fraction(3, 4) + 1, m.Fraction("1.25") ** 2, m.Fraction(0.1).limit_denominator(10), -m.Fraction(2, 6))
        ],
        lambda m: (m.Fraction(1, 3) < 0.5, m.Fraction(7, 2) // 1, m.Fraction(7, 2) % 1, hash(m.Fraction(1, 2)), round(m.Fraction(7, 2))),
        lambda m: m.Fraction(1, 0),
        lambda m: m.Fraction("x"),
    ],
    "colorsys": [
        lambda m: [f(0.2, 0.5, 0.7) for f in (m.rgb_to_hsv, m.hsv_to_rgb, m.rgb_to_hls, m.hls_to_rgb, m.rgb_to_yiq, m.yiq_to_rgb)]
    ],
    "string": [
        lambda m: (m.Template("$a ${b} $$").substitute(a=1, b=2), m.Template("$x").safe_substitute(), m.capwords("a bc d")),
        lambda m: m.Template("$x").substitute(),
        lambda m: m.Formatter().format("{0!r:>5} {name} {1[0]}", "a", [3], name=5),
    ],
    "calendar": [
        lambda m: (m.TextCalendar().formatmonth(2024, 2), m.monthrange(2023, 2), m.isleap(1900), m.leapdays(1900, 2000)),
        lambda m: m.TextCalendar(6).formatyear(2023, m=4)[:300],
        lambda m: m.monthrange(2023, 13),
    ],
    "graphlib": [
        lambda m: list(m.TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a"}}).static_order())[::3],
        lambda m: list(m.TopologicalSorter({"a": {"b"}, "b": {"a"}}).static_order()),
    ],
    "shlex": [
        lambda m: (m.split('a \'b c\' "d\\"e" f\\ g # h', comments=True), m.quote("it's"), m.join(["a b", "c"])),
        lambda m: m.split("a 'b"),
        lambda m: list(m.shlex("x = 'y z'; if a>b", punctuation_chars=True)),
    ],
    "copy": [lambda m: (m.deepcopy([1, [2, {"a": (3, [4])}]]), m.copy({1: [2]})), lambda m: m.deepcopy(m)],
    "reprlib": [lambda m: (m.repr(list(range(100))), m.repr({i: "x" * 50 for i in range(9)}), m.repr([[[[[[[1]]]]]]]))],
    "pprint": [lambda m: m.pformat({"k" * 20: list(range(30)), "n": {"a": ("x" * 40, "y" * 50)}}, width=40)],
    "fnmatch": [lambda m: (m.translate("a*[!b-d]?.py"), m.fnmatch("abc.py", "*.py"), m.filter(["a", "b1"], "?1"))],
    "base64": [
        lambda m: (m.b64encode(b"abc"), m.b32decode(b"MFRGG==="), m.a85encode(b"hello world"), m.b85decode(b"Xk~0{Zv")),
        lambda m: m.b32decode(b"1"),
    ],
    "quopri": [lambda m: m.encodestring(b"caf\xe9 = x\n")],
    "posixpath": [
        lambda m: (m.normpath("/a/./b/../c//"), m.relpath("/a/b", "/a/c/d"), m.commonpath(["/a/b", "/a/c"]), m.splitext("x.tar.gz"))
    ],
    "urllib.parse": [
        lambda m: (
            m.urlsplit("http://u:p@h:80/p;q?r=s#t").geturl(),
            m.urljoin("http://a/b/c", "../d"),
            m.quote("a b/ü"),
            m.parse_qs("a=1&a=2&b="),
        ),
        lambda m: m.urlsplit("http://[::1/"),
    ],
    "dataclasses": [lambda m: repr(m.make_dataclass("C", [("x", int), ("y", int, m.field(default=2))])(1))],
    "configparser": [lambda m: [c := m.ConfigParser(), c.read_string("[a]\nx = 1\ny = %(x)s2\n"), c["a"]["y"], c.sections()][2:]],
    "ipaddress": [
        lambda m: (str(m.ip_network("10.0.0.0/30")[1]), m.ip_address("::1").is_loopback, m.ip_network("10.0.0.0/24").num_addresses)
    ],
    "random": [
        lambda m: [r := m.Random(7), r.sample(range(20), 5), r.gauss(0, 1), r.choices("abc", k=4), r.shuffle(x := [1, 2, 3, 4]), x][1:]
    ],
    "ast": [
        lambda m: (
            m.literal_eval("[1, {'a': (2, -3)}]"),
            m.unparse(m.parse("def f(a, *b, c=1):\n    return [x for x in a if x] or f'{b!r:>{c}}'\n")),
        )
    ],
    "tokenize": [lambda m: [t.string for t in m.generate_tokens(iter(["a = 'b' + 3.5  # c\n", "if a:\n", "    pass\n"]).__next__)]],
    "_pydecimal": [
        lambda m: [
            str(x) for x in (m.Decimal("1.10") + m.Decimal(2), m.Decimal(2).sqrt(), m.Decimal("1e-5").normalize(), m.Decimal(7) / 3)
        ],
        lambda m: [
            str(x) for x in (m.Decimal("3.14159").quantize(m.Decimal("0.01")), m.Decimal(2) ** 10, m.Decimal(10).ln(), m.Decimal("-0"))
        ],
        lambda m: m.Decimal(1) / 0,
        lambda m: m.Decimal("abc"),
    ],
    "_pydatetime" if importlib.util.find_spec("_pydatetime") else "datetime": [
        lambda m: (
            m.date(2024, 2, 29).isocalendar()[1],
            str(m.datetime(2024, 1, 1) + m.timedelta(days=45.5)),
            m.date.fromisoformat("2024-03-01").toordinal(),
        ),
        lambda m: m.date(2023, 2, 29),
    ],
}


ACCELERATORS = ("_bisect", "_heapq", "_datetime", "_statistics", "_json")


def loaded(name: str) -> types.ModuleType:
    """A fresh copy of a module, without what is written in C."""
    spec = importlib.util.spec_from_file_location(name, importlib.import_module(name).__file__)
    module = importlib.util.module_from_spec(spec)
    kept = {accelerator: sys.modules.get(accelerator) for accelerator in ACCELERATORS}
    sys.modules.update(dict.fromkeys(ACCELERATORS))
    try:
        spec.loader.exec_module(module)
    finally:
        for accelerator, known in kept.items():
            sys.modules.pop(accelerator)
            if known is not None:
                sys.modules[accelerator] = known
    return module


def with_converted_functions(module: types.ModuleType, file: str) -> int:
    """Replace the functions and methods of a module; how many there were."""
    count = 0
    for owner in [module, *(value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__)]:
        for name, value in list(vars(owner).items()):
            function = getattr(value, "__func__", value)
            if not isinstance(function, types.FunctionType) or function.__code__.co_filename != file:
                continue
            try:
                setattr(owner, name, convert(value))
                count += 1
            except UnsupportedError as error:
                assert "generator" in str(error) or "made without a file" in str(error), str(error)
            except (AttributeError, TypeError):
                assert isinstance(owner, type)
    return count


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_module(name):
    plain, converted = loaded(name), loaded(name)
    assert with_converted_functions(converted, plain.__file__)
    for call in CALLS[name]:
        want, got = (observe(lambda module=module, call=call: call(module), ()) for module in (plain, converted))
        if want.error is not None:
            assert (type(want.error).__name__, str(want.error)) == (type(got.error).__name__, str(got.error))
        else:
            assert_same(_shown(want), _shown(got))


def _shown(outcome: Outcome) -> Outcome:
    """Classes of the two copies of a module differ, so their instances are compared as text."""
    return Outcome(repr(outcome.value), None, outcome.printed, None)
