"""What `cargo xtask wheel` runs in a fresh environment, where only the wheel is installed."""

import sys
import types
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import desvio

MESH = """[topology]
kind = "mesh"
dims = [2, 2]

[traffic]
packet_flits = 4
loads = [0.1, 0.3]

[run]
warmup_cycles = 200
measure_cycles = 400
"""


LINE = """[topology]
kind = "mesh"
dims = [3]

[router]
vcs = 1
buffer_flits = 4
speedup = 1

[traffic]
packet_flits = 2
loads = [0.1]
"""

MAP = """clock = "ck"
reset = { name = "rst", active = "high" }
ports = 3

[parameters]
DEPTH = 4

[constants]
id = { from = "address" }

[input]
valid = "rx"
flit = "rx_word"
credit = "rx_return"

[output]
valid = "tx"
flit = "tx_word"
credit = "tx_return"

[flit]
head = 31
tail = 30
to_router = "29:28"
number = "15:0"
index = "17:16"
"""

WIDTHS = {"rst": 1, "rx": 3, "rx_word": 96, "rx_return": 3, "tx": 3, "tx_word": 96, "tx_return": 3}
IDLE = dict.fromkeys(WIDTHS, 0)


class Stepped(unittest.TestCase):
    def test_a_packet_goes_through_the_model(self):
        with desvio.Router(MESH, router=0) as router:
            self.assertEqual([port.leads_to for port in router.ports[:2]], ["node 0", "router 1"])
            sent = router.packet(0, 1, flits=3)
            came, credits = [], 0
            waiting = list(sent)
            for cycle in range(40):
                begins = cycle % router.speedup == 0
                out = router.step({0: desvio.Pins(flit=waiting.pop(0))} if waiting and begins else {})
                credits += out[0].credit is not None
                came += [out[1].flit] if out[1].flit else []
            self.assertEqual([flit.data for flit in came], [flit.data for flit in sent])
            self.assertEqual(credits, 3)

    def test_what_no_neighbour_does_is_an_error_of_the_bench(self):
        with desvio.Router(MESH) as router:
            body = router.packet(0, 1, flits=2)[1]
            router.step({0: desvio.Pins(flit=body)})
            with self.assertRaisesRegex(desvio.BenchError, "a body flit without a head"):
                router.step()


class Watched(unittest.TestCase):
    """The middle of a row; the switch is this test."""

    def setUp(self):
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.map = Path(folder.name, "map.toml")
        self.map.write_text(MAP)

    def checker(self, **more):
        checker = desvio.Checker(LINE, self.map, router=1, **more)
        self.addCleanup(checker.close)
        checker.start(WIDTHS)
        checker.step({**IDLE, "rst": 1})
        return checker

    def sent(self, checker, way=2):
        """Sends a packet from the port ``0`` to the port ``way``, one flit in a cycle: its flits."""
        packet = checker.packet(0, 0, output=way)
        for flit in packet.flits:
            checker.step({**IDLE, "rx": 1, "rx_word": flit})
        return packet.flits

    def leave(self, checker, flits, port, **more):
        for flit in flits:
            checker.step({**IDLE, "tx": 1 << port, "tx_word": flit << 32 * port, "rx_return": 1, **more})

    def test_what_the_map_says_is_known(self):
        checker = self.checker()
        self.assertEqual(checker.constants, {"id": 1})
        self.assertEqual((checker.parameters, checker.vcs), ({"DEPTH": 4}, [1, 1, 1]))
        self.assertEqual(checker.leads_to, ["node 1", "router 2", "router 0"])
        self.assertIn("LEGAL-PORT", checker.rules)

    def test_a_switch_that_is_right(self):
        checker = self.checker()
        self.leave(checker, self.sent(checker), 2)
        for _ in range(2):
            self.assertFalse(checker.is_even)
            checker.step({**IDLE, "tx_return": 4})
        self.assertTrue(checker.is_even)
        checker.finish()
        counts = checker.counts()
        self.assertEqual((counts["packets"], counts["flits"]), (1, 2))
        self.assertEqual(counts["checks"]["LEGAL-PORT"], 1)

    def test_a_wrong_port_is_found_by_its_rule(self):
        checker = self.checker()
        flits = self.sent(checker)
        with self.assertRaises(desvio.Violation) as found:
            self.leave(checker, flits, 1)
        self.assertEqual(found.exception.rule, "LEGAL-PORT")
        self.assertIn("LEGAL-PORT broken (a packet leaves by a port that is a legal candidate)", str(found.exception))
        self.assertIn("legal: port 2 (local) VC 0", str(found.exception))
        with self.assertRaisesRegex(desvio.Refused, "the check has ended: LEGAL-PORT"):
            checker.step(IDLE)

    def test_changes_inventions_and_credits_are_found(self):
        changed = self.checker()
        with self.assertRaises(desvio.Violation) as found:
            self.leave(changed, [flit ^ 1 << 20 for flit in self.sent(changed)], 2)
        self.assertEqual(found.exception.rule, "FLIT-CHANGED")
        with self.assertRaises(desvio.Violation) as found:
            self.checker().step({**IDLE, "tx": 1})
        self.assertEqual(found.exception.rule, "FLIT-INVENTED")
        with self.assertRaises(desvio.Violation) as found:
            self.checker().step({**IDLE, "rx_return": 2})
        self.assertEqual(found.exception.rule, "CREDIT-BOUND")

    def test_what_never_comes_out_is_found_at_the_end(self):
        checker = self.checker(patience=300)
        self.sent(checker)
        with self.assertRaisesRegex(desvio.BenchError, "not everything has come out"):
            checker.finish()
        with self.assertRaises(desvio.Violation) as found:
            for _ in range(400):
                checker.step(IDLE)
        self.assertEqual(found.exception.rule, "WAITING")

    def test_an_allowed_rule_is_counted(self):
        checker = self.checker(allow=["FLIT-CHANGED"])
        self.leave(checker, [flit ^ 1 << 20 for flit in self.sent(checker)], 2)
        self.assertEqual([found["rule"] for found in checker.counts()["allowed"]], ["FLIT-CHANGED"])

    def test_a_reset_forgets_what_was_inside(self):
        checker = self.checker()
        self.sent(checker)
        checker.step({**IDLE, "rst": 1})
        checker.step(IDLE)
        self.assertTrue(checker.is_even)

    def test_the_errors_of_a_bench_are_none_of_the_switch(self):
        for pins, text in [
            ({"tx_return": 1}, "a credit is given for a flit that did not come out"),
            ({"rx": 1, "rx_word": 0}, "flit.head is 0x0, not 0x1"),
            ({"rx": 1, "rx_word": 1 << 16}, "flit 1 of packet 0 is sent"),
        ]:
            with self.assertRaisesRegex(desvio.BenchError, text):
                self.checker().step({**IDLE, **pins})

    def test_packets_of_ones_own_are_read_from_their_heads(self):
        checker = self.checker()
        # Packet 7 to router 2, of one flit.
        flit = 3 << 30 | 2 << 28 | 7
        checker.step({**IDLE, "rx": 1, "rx_word": flit})
        self.leave(checker, [flit], 1)
        self.assertEqual(checker.counts()["packets"], 1)
        with self.assertRaisesRegex(desvio.BenchError, "cannot come by here"):
            checker.step({**IDLE, "rx": 2, "rx_word": (3 << 30 | 3 << 28 | 8) << 32})

    def test_more_flits_than_credits_are_an_error_of_the_bench(self):
        checker = self.checker()
        self.sent(checker)
        self.sent(checker)
        with self.assertRaisesRegex(desvio.BenchError, "without the credits"):
            self.sent(checker)


class Runs(unittest.TestCase):
    def test_a_text_gives_a_row_for_each_load(self):
        table = desvio.run(MESH)
        self.assertEqual(list(table["load"]), [0.1, 0.3])
        self.assertTrue((table["latency_mean"] > 5).all())

    def test_overrides_replace_what_the_file_says(self):
        table = desvio.run(MESH, traffic__loads=[0.2], sets={"traffic.pattern": {"hot-spot": {"nodes": [0], "share": 0.5}}})
        self.assertEqual(list(table["load"]), [0.2])
        self.assertNotEqual(table["latency_mean"][0], desvio.run(MESH, traffic__loads=[0.2])["latency_mean"][0])

    def test_equal_runs_are_equal(self):
        with TemporaryDirectory() as folder:
            file = Path(folder, "mesh.toml")
            file.write_text(MESH)
            kept = Path(folder, "kept")
            table = desvio.run(file, out=kept)
            self.assertTrue(table.equals(desvio.run(MESH)))
            self.assertTrue(table.equals(desvio.read(kept)))

    def test_a_curve_for_each_value(self):
        table = desvio.compare(MESH, {"routing.algorithm": ["dimension-order", "odd-even"]}, traffic__loads=[0.1])
        self.assertEqual(table.iloc[:, 0].nunique(), 2)

    def test_a_campaign_is_run_and_collected(self):
        with TemporaryDirectory() as folder:
            Path(folder, "mesh.toml").write_text(MESH)
            file = Path(folder, "small.toml")
            file.write_text('base = "mesh.toml"\nseeds = [1, 2]\n\n[axes]\nload = [0.1, 0.2]\n')
            table = desvio.campaign(file, out=Path(folder, "out"))
            self.assertEqual(len(table), 4)

    def test_lines_of_the_command_are_watched(self):
        lines = []
        with TemporaryDirectory() as folder:
            printed = desvio.command("run", "-", "--out", folder, stdin=MESH, watch=lambda line: lines.append(line) or True)
        self.assertIn("0.300", printed)
        self.assertEqual(sorted(line[:6] for line in lines[:2]), ["1 of 2", "2 of 2"])

    def test_a_notebook_shows_how_far_a_run_is(self):
        shown = []
        handle = types.SimpleNamespace(update=shown.append)
        ipython = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=None))
        page = types.SimpleNamespace(HTML=str, display=lambda text, display_id: shown.append(text) or handle)
        kernel = {"ipykernel": types.ModuleType("ipykernel"), "IPython": ipython, "IPython.display": page}
        with mock.patch.dict(sys.modules, kernel):
            desvio.run(MESH)
        self.assertRegex(shown[0], '^<progress value="1" max="2"></progress> 1 of 2: load 0')
        self.assertRegex(shown[1], '^<progress value="2" max="2"></progress> 2 of 2: load 0')
        self.assertEqual(shown[2:], [""])

    def test_bad_input_is_refused_with_its_place(self):
        with self.assertRaisesRegex(desvio.Refused, "did you mean .kind"):
            desvio.run(MESH.replace("kind", "knd"))

    def test_examples_are_inside(self):
        self.assertIn("dragonfly", desvio.example("dragonfly"))


if __name__ == "__main__":
    unittest.main()
