"""Fits LightGBM to the exported matrix of one origin and writes its scores as `bridgecast origins table` reads them.

Run by tools/comparisons/origins/compare:
  missing FOLDER KIND ORIGIN ROWS               exit 0 if a size has no scores of so many rows yet, 3 if all are there
  fit FOLDER KIND ORIGIN ROWS TRAINING TEST     fits both sizes of trees, scores after 100, 200 and 300 of them
LightGBM starts from the same prior as the network. Nothing is chosen here: the table's means over origins do.
"""

import json
import os
import sys

import numpy as np
from scipy import sparse

LEAVES = (31, 63)
TREES = (100, 200, 300)
ALL_THERE = 3


def path(folder, kind, leaves, trees, origin):
    return f"{folder}/{kind}-{leaves}x{trees}/{origin}.json"


def making(origin, rows, leaves, trees):
    """What was fitted, as `bridgecast origins` compares it: the rows asked for and the size of the trees."""
    return {
        "settings": {"rows": str(rows), "leaves": str(leaves), "trees": str(trees)}, "seed": 1,
        "fitted_before": origin, "records": [], "schema_hash": "",
    }


def is_there(folder, kind, origin, rows, leaves, trees):
    try:
        with open(path(folder, kind, leaves, trees, origin)) as file:
            return json.load(file).get("making") == making(origin, rows, leaves, trees)
    except (FileNotFoundError, ValueError):
        return False


def missing(folder, kind, origin, rows, leaves):
    return [trees for trees in TREES if not is_there(folder, kind, origin, rows, leaves, trees)]


def load(folder):
    """Inputs, log-odds of the prior and outcomes of an exported matrix, and its rows' columns."""
    def read(name):
        return np.load(f"{folder}/{name}.npy")

    if os.path.exists(f"{folder}/tree_features.npy"):
        features = read("tree_features")
    else:
        parts = tuple(read(f"features_{part}") for part in ("data", "indices", "indptr"))
        features = sparse.csr_matrix(parts, shape=tuple(read("features_shape")))
    none = read("prior_logits")[:, 0].astype(np.float64)
    with open(f"{folder}/rows.csv") as lines:
        next(lines)
        rows = [line.rstrip("\n").split(",") for line in lines]
    return {
        "features": features, "blocked": read("blocked").astype(np.int64),
        "prior": np.log(np.maximum(-np.expm1(none), 1e-6)) - none,
        "climatology": read("climatology").astype(np.float64),
        "place": [(row[1][:10], row[0], int(row[2])) for row in rows],
    }


def log_loss(probability, blocked):
    p = np.clip(probability, 1e-7, 1 - 1e-7)
    return -np.where(blocked == 1, np.log(p), np.log1p(-p))


def calibration_error(probability, blocked):
    """Mean distance of forecast and frequency over ten bins of equally many rows, in order of the forecast."""
    order = np.argsort(probability, kind="stable")
    count = len(order)
    bins = [order[k * count // 10:(k + 1) * count // 10] for k in range(10)]
    return sum(abs((probability[rows] - blocked[rows]).sum()) for rows in bins) / count


def scores(recipe, origin, made, test, probability):
    """The sums by day, bridge and lead; leads of 0 are left out."""
    counted = np.array([place[2] > 0 for place in test["place"]])
    places = [place for place in test["place"] if place[2] > 0]
    blocked, p = test["blocked"][counted], probability[counted]
    climatology = test["climatology"][counted]
    cells = sorted(set(places))
    index = {cell: number for number, cell in enumerate(cells)}
    where = np.array([index[place] for place in places])

    def sums(values):
        return np.bincount(where, weights=values, minlength=len(cells))

    columns = {
        "rows": sums(np.ones(len(p))).astype(int), "blocked": sums(blocked).astype(int),
        "loss": sums(log_loss(p, blocked)), "climatology_loss": sums(log_loss(climatology, blocked)),
        "brier": sums((p - blocked) ** 2), "climatology_brier": sums((climatology - blocked) ** 2),
    }
    return {
        "recipe": recipe, "origin": origin, "days": len({cell[0] for cell in cells}), "making": made,
        "calibration_error": float(calibration_error(p, blocked)),
        "rows": [
            {"day": day, "bridge": bridge, "lead_minutes": lead}
            | {name: column[number].item() for name, column in columns.items()}
            for number, (day, bridge, lead) in enumerate(cells)
        ],
    }


def write(document, file):
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file + ".part", "w") as out:
        json.dump(document, out)
    os.replace(file + ".part", file)


def settings(leaves):
    return {
        "objective": "binary", "num_leaves": leaves, "learning_rate": 0.05, "lambda_l2": 10,
        "min_data_in_leaf": 300, "feature_fraction": 0.5, "bagging_fraction": 0.7,
        "bagging_freq": 1, "verbose": -1, "seed": 1, "deterministic": True,
    }


def dataset(training):
    """LightGBM's data of a loaded matrix, with the prior as the score to start from."""
    import lightgbm

    return lightgbm.Dataset(training["features"], training["blocked"], init_score=training["prior"])


def fit(folder, kind, origin, rows, training_folder, test_folder):
    import lightgbm

    training, test = load(training_folder), load(test_folder)
    print(f"{origin}: fitting to {training['features'].shape}, scoring {test['features'].shape}", flush=True)
    data = dataset(training)
    for leaves in LEAVES:
        open_sizes = missing(folder, kind, origin, rows, leaves)
        if not open_sizes:
            continue
        booster = lightgbm.train(settings(leaves), data, max(open_sizes))
        for trees in open_sizes:
            margin = booster.predict(test["features"], raw_score=True, num_iteration=trees)
            probability = 1 / (1 + np.exp(-margin - test["prior"]))
            recipe = f"{kind}-{leaves}x{trees}"
            found = scores(recipe, origin, making(origin, rows, leaves, trees), test, probability)
            write(found, path(folder, kind, leaves, trees, origin))
            loss, reference = (sum(row[name] for row in found["rows"]) for name in ("loss", "climatology_loss"))
            print(f"{origin}: {recipe} has skill {1 - loss / reference:.4f}", flush=True)


def main(command, folder, kind, origin, rows, *matrices):
    if command == "missing":
        return 0 if any(missing(folder, kind, origin, int(rows), leaves) for leaves in LEAVES) else ALL_THERE
    fit(folder, kind, origin, int(rows), *matrices)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
