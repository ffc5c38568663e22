"""A method that does one thing wrong: the variable MBSBENCH_TEST_FAULT selects the fault."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../examples/python_method"))
import mbsbench_method

FAULT = os.environ.get("MBSBENCH_TEST_FAULT", "")


class Method:
    key, title, source, description = "fault-in-python", "Fault", "none", "Does one thing wrong."
    cost_exponent = 1
    joints = ("revolute",)
    in_space = forces = unusual_bodies = True
    most_links = 1
    files = {"text": "data.txt", "tab": ("a\tb",)}.get(FAULT, ())

    def __init__(self, model):
        if FAULT == "prepare":
            raise RuntimeError("no licence")

    def evaluate(self, t, q, u, loads, efforts):
        print("what a method prints is no reply")
        if FAULT == "exits":
            os._exit(5)
        if FAULT == "killed":
            os.kill(os.getpid(), 9)
        while FAULT == "hangs":
            pass
        return {"raises": lambda: [1 / 0], "short": lambda: [], "nan": lambda: [float("nan")],
                "wrong": lambda: [0.0]}[FAULT]()


if FAULT == "load":
    sys.exit(1)
mbsbench_method.serve(Method)
