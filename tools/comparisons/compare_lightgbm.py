"""Fits LightGBM to the matrix of `bridgecast features export` and compares it with the model.

Run by tools/comparisons/compare_lightgbm. Both see the same rows and inputs; LightGBM starts from the same prior
as the network and is tuned on the evaluation days themselves, which favours it.
"""

import sys

import lightgbm
import numpy as np

LEADS = [2, 5, 10, 15, 20, 30, 45, 60]
RESAMPLES = 1000


def load(folder):
    """Inputs, log-odds of the prior and outcomes of an exported matrix, and its rows' columns."""
    def read(name):
        return np.load(f"{folder}/{name}.npy")

    none = read("prior_logits")[:, 0].astype(np.float64)
    prior = np.log(np.maximum(-np.expm1(none), 1e-6)) - none
    with open(f"{folder}/rows.csv") as lines:
        next(lines)
        rows = [line.rstrip("\n").split(",") for line in lines]
    return {
        "features": read("features"), "prior": prior, "blocked": read("blocked"),
        "model": 1 - read("probabilities")[:, 0], "climatology": read("climatology"),
        "day": np.array([row[1][:10] for row in rows]), "lead": np.array([int(row[2]) for row in rows]),
    }


def log_loss(probability, blocked):
    p = np.clip(probability.astype(np.float64), 1e-7, 1 - 1e-7)
    return -np.where(blocked == 1, np.log(p), np.log1p(-p))


def skill(loss, reference):
    return 1 - loss.sum() / reference.sum()


def difference_interval(first, second, reference, day):
    """95 % interval of the difference of two skills over resampled days."""
    _, index = np.unique(day, return_inverse=True)
    sums = np.stack([np.bincount(index, x) for x in (first, second, reference)])
    draws = np.random.default_rng(20260215).integers(0, sums.shape[1], (RESAMPLES, sums.shape[1]))
    a, b, c = (sums[i][draws].sum(1) for i in range(3))
    return np.percentile((b - a) / c, [2.5, 97.5])


def main(training_folder, test_folder):
    training, test = load(training_folder), load(test_folder)
    scored = test["lead"] > 0
    test = {name: column[scored] for name, column in test.items()}
    print(f"training {training['features'].shape}, scored {test['features'].shape}", flush=True)
    data = lightgbm.Dataset(
        training["features"], training["blocked"], init_score=training["prior"], free_raw_data=True)
    reference = log_loss(test["climatology"], test["blocked"])
    best = None
    for leaves in (31, 63):
        settings = {
            "objective": "binary", "num_leaves": leaves, "learning_rate": 0.05, "lambda_l2": 10,
            "min_data_in_leaf": 300, "feature_fraction": 0.5, "bagging_fraction": 0.7,
            "bagging_freq": 1, "verbose": -1, "seed": 1, "deterministic": True,
        }
        booster = lightgbm.train(settings, data, 300)
        for trees in (100, 200, 300):
            margin = booster.predict(test["features"], raw_score=True, num_iteration=trees)
            loss = log_loss(1 / (1 + np.exp(-margin - test["prior"])), test["blocked"])
            total = skill(loss, reference)
            print(f"LightGBM, {leaves} leaves, {trees} trees: skill {total:.4f}", flush=True)
            if best is None or total > best[0]:
                best = (total, loss, f"{leaves} leaves, {trees} trees")
    model = log_loss(test["model"], test["blocked"])
    print(f"\nBest LightGBM of {best[2]} (chosen on these very days) against the model:")
    print(f"{'lead':>8} {'LightGBM':>9} {'model':>7} {'difference, 95 % interval':>28}")
    for lead in [None] + LEADS:
        rows = slice(None) if lead is None else test["lead"] == lead
        first, second, usual = model[rows], best[1][rows], reference[rows]
        a, b = skill(second, usual), skill(first, usual)
        low, high = difference_interval(first, second, usual, test["day"][rows])
        name = "total" if lead is None else f"{lead} min"
        print(f"{name:>8} {a:9.4f} {b:7.4f} {b - a:8.4f} ({low:.4f} .. {high:.4f})")
    ratio = skill(model, reference) / best[0]
    print(f"The model's skill is {ratio:.3f} times LightGBM's.")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
