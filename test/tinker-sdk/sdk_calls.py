"""What the scripts of this folder share: data for the official SDK, and what its calls give."""

from tinker import types


def datum(ids, **inputs):
    """One sequence after the client-side shift; every input is as long as the targets."""
    return types.Datum(
        model_input=types.ModelInput.from_ints(ids[:-1]),
        loss_fn_inputs={"target_tokens": ids[1:], **inputs},
    )


def cross_entropy(ids):
    return datum(ids, weights=[1.0] * (len(ids) - 1))


def settled(made):
    """What a call makes: SDK 0.38 answers with a future of it, older ones with the thing itself."""
    return made.result() if hasattr(made, "result") else made


def logprobs_of(output):
    return [list(entry["logprobs"].data) for entry in output.loss_fn_outputs]
