"""Prints all measurements of each scene as JSON, and then one table: libpccd and its peers on the same frames, in the same run, on one thread each.

usage: compare.py LIBRARY PARRY_PROGRAM DATA WORK [--repeat N] [--peer-repeat N] [--no-peer-contacts] [--only-peers] [SCENE ...]
"""

import argparse
import json
import math
import pathlib
import subprocess

import numpy as np

from ipc import IpcToolkit
from ours import MODE_ALL, MODE_CANDIDATES, MODE_EARLIEST, Pccd
from scenes import Scene, find_scenes


def main():
    parser = argparse.ArgumentParser()
    for name in ("library", "parry", "data", "work"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("scenes", nargs="*", help="names of scenes; all if there are none")
    parser.add_argument("--repeat", type=int, default=10, help="runs of libpccd and parry3d, of which the fastest counts")
    parser.add_argument("--peer-repeat", type=int, default=3, help="runs of ipc-toolkit")
    parser.add_argument("--no-peer-contacts", action="store_true", help="don't ask ipc-toolkit for all contacts (minutes)")
    parser.add_argument("--only-peers", action="store_true", help="leave libpccd out")
    arguments = parser.parse_args()

    rows = []
    for folder in find_scenes(arguments.data):
        if not arguments.scenes or folder.name in arguments.scenes:
            print(f"{folder.name} ...", flush=True)
            rows.append(measure(Scene(folder), arguments))
            print(json.dumps(rows[-1]), flush=True)
    if not rows:
        raise SystemExit("no scene of that name")
    print_contacts(rows)
    print_candidates(rows)


def measure(scene, arguments):
    row = {"scene": scene.name, "triangles": len(scene.triangles), "truth": len(scene.truth)}
    if not arguments.only_peers:
        ours = Pccd(arguments.library, scene)
        row["ours_earliest"] = ours.measure(MODE_EARLIEST, arguments.repeat)
        row["ours_candidate_ms"] = ours.measure(MODE_CANDIDATES, arguments.repeat)
        row["ours_candidates"] = len(ours.results())
        row["ours"] = ours.measure(MODE_ALL, arguments.repeat)
        score(row, "ours", ours.contacts(), scene.truth)
        ours.close()

    row.update(run_parry(scene, arguments))

    peer = IpcToolkit(scene)
    row["ipc_candidate_ms"], row["ipc"] = peer.measure(arguments.peer_repeat)
    row["ipc_candidates"] = peer.candidate_count()
    if not arguments.no_peer_contacts:
        score(row, "ipc", peer.contacts(), scene.truth)
    return row


def score(row, who, found, truth):
    row[f"{who}_found"] = len(found)
    row[f"{who}_missed"] = len(truth - found)
    row[f"{who}_false"] = len(found - truth)


def run_parry(scene, arguments):
    folder = arguments.work / scene.name
    folder.mkdir(parents=True, exist_ok=True)
    scene.start.astype("<f8").tofile(folder / "start")
    scene.end.astype("<f8").tofile(folder / "end")
    scene.triangles.astype("<u4").tofile(folder / "triangles")
    output = subprocess.run([arguments.parry, folder, str(arguments.repeat)], check=True, capture_output=True, text=True)
    return {f"parry_{name}": value for name, value in json.loads(output.stdout).items()}


def print_contacts(rows):
    print("\nA step, one thread. libpccd: all contacts with times, weights and normals, sorted; new positions, update and all else")
    print("included. ipc-toolkit: candidates (LBVH) and a collision-free step size (Tight-Inclusion). Wrong: missed + false.")
    table = [["scene", "triangles", "contacts", "libpccd ms", "found", "wrong", "earliest ms", "ipc-toolkit ms", "found", "wrong", "ratio"]]
    for row in rows:
        table.append([
            row["scene"], row["triangles"], row["truth"], ms(row, "ours"), count(row, "ours_found"), wrong(row, "ours"),
            ms(row, "ours_earliest"), ms(row, "ipc"), count(row, "ipc_found"), wrong(row, "ipc"), ratio(row, "ipc", "ours"),
        ])
    show(table)
    verdict("ipc-toolkit over libpccd", [(row, "ipc", "ours") for row in rows], least=60, mean=100)


def print_candidates(rows):
    print("\nCandidates, one thread. libpccd and ipc-toolkit: pairs of features. parry3d: refitted tree of swept triangle boxes, pairs of")
    print("triangles, and with the pairs of features that follow from them. ratio: over the pairs of triangles, the cheaper thing.")
    table = [[
        "scene", "libpccd ms", "pairs", "parry3d ms", "triangle pairs", "ratio", "with features ms", "pairs", "ratio",
        "ipc-toolkit ms", "pairs", "ratio",
    ]]
    for row in rows:
        table.append([
            row["scene"], ms(row, "ours_candidate_ms"), count(row, "ours_candidates"),
            ms(row, "parry_ms_triangle_pairs"), row["parry_triangle_pairs"], ratio(row, "parry_ms_triangle_pairs", "ours_candidate_ms"),
            ms(row, "parry_ms_feature_pairs"), row["parry_feature_pairs"], ratio(row, "parry_ms_feature_pairs", "ours_candidate_ms"),
            ms(row, "ipc_candidate_ms"), row["ipc_candidates"], ratio(row, "ipc_candidate_ms", "ours_candidate_ms"),
        ])
    show(table)
    verdict("parry3d's triangle pairs over libpccd", [(row, "parry_ms_triangle_pairs", "ours_candidate_ms") for row in rows], least=5)
    verdict("parry3d's feature pairs over libpccd", [(row, "parry_ms_feature_pairs", "ours_candidate_ms") for row in rows], least=5)


def ms(row, name):
    return f"{row[name]:.2f}" if name in row else "-"


def count(row, name):
    return row.get(name, "-")


def wrong(row, who):
    return f"{row[f'{who}_missed']} + {row[f'{who}_false']}" if f"{who}_missed" in row else "-"


def ratio(row, peer, ours):
    return f"{row[peer] / row[ours]:.1f}" if ours in row else "-"


def verdict(label, pairs, least, mean=None):
    ratios = [row[peer] / row[ours] for row, peer, ours in pairs if ours in row]
    if not ratios:
        return
    average = math.exp(float(np.mean(np.log(ratios))))
    met = min(ratios) >= least and (mean is None or average >= mean)
    wanted = f"at least {least} each" + (f", {mean} in the geometric mean" if mean else "")
    print(f"{label}: least {min(ratios):.1f}, geometric mean {average:.1f}; wanted {wanted}: {'met' if met else 'NOT MET'}")


def show(table):
    widths = [max(len(str(line[column])) for line in table) for column in range(len(table[0]))]
    for line in table:
        cells = [str(cell).rjust(width) if i else str(cell).ljust(width) for i, (cell, width) in enumerate(zip(line, widths))]
        print("  ".join(cells))


main()
