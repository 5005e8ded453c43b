"""The masks and the loss of DPPO, transcribed from the formulas of arXiv 2602.04879 into NumPy.

Reads {"logprobs", "rolloutLogprobs", "advantages", "cases": [{"divergence", "low", "high"}]} from standard input and
writes, for each case, {"loss", "gradient", "masked"}. Double precision throughout.
"""

import json
import sys

import numpy as np

given = json.load(sys.stdin)
log_pi = np.array(given["logprobs"], dtype=np.float64)
log_mu = np.array(given["rolloutLogprobs"], dtype=np.float64)
advantage = np.array(given["advantages"], dtype=np.float64)

pi, mu = np.exp(log_pi), np.exp(log_mu)
ratio = np.exp(log_pi - log_mu)
eps = 1e-8

divergences = {
    "binary-tv": np.abs(mu - pi),
    "binary-kl": mu * (log_mu - log_pi) + (1 - mu) * np.log((1 - mu + eps) / (1 - pi + eps)),
}

answers = []
for case in given["cases"]:
    divergence = divergences[case["divergence"]]
    rises = (advantage > 0) & (ratio > 1) & (divergence > case["high"])
    falls = (advantage < 0) & (ratio < 1) & (divergence > case["low"])
    masked = rises | falls
    terms = np.where(masked, 0.0, ratio * advantage)
    answers.append(
        {
            "loss": float(-terms.mean()),
            "gradient": (-terms / terms.size).tolist(),
            "masked": masked.tolist(),
        }
    )
json.dump(answers, sys.stdout)
