"""What `cargo xtask wheel` runs in a fresh environment, where only the wheel is installed."""

import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

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

    def test_bad_input_is_refused_with_its_place(self):
        with self.assertRaisesRegex(desvio.Refused, "did you mean .kind"):
            desvio.run(MESH.replace("kind", "knd"))

    def test_examples_are_inside(self):
        self.assertIn("dragonfly", desvio.example("dragonfly"))


if __name__ == "__main__":
    unittest.main()
