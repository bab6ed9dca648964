"""Solves one Markov problem by a Python package: `markov_peers.py METHOD PROBLEM ANSWER`.

The files are described in `benches/src/chains/files.rs`. Prints the CPU seconds from the raw arrays in memory to the
answer, or `note REASON` where there is none; importing packages, compiling them at the first call, and reading and
writing files are not counted. `markov_peers.py --versions` prints a line `PACKAGE VERSION` for each package there is.
"""

import importlib.metadata
import resource
import sys
import time

import numpy as np

MEMORY = 12 << 30  # bytes of address space
RESIDUAL = 1e-10  # where the power iteration stops
CHECK_EVERY = 10  # steps between two looks at the residual
ACCURACY = 1e-6  # how far values may be off
LARGEST_DENSE = 5000  # states of a dense matrix


class Note(Exception):
    pass


class Problem:
    def __init__(self, path):
        data = np.fromfile(path, dtype=np.uint8)
        at = 0

        def take(kind, count):
            nonlocal at
            size = np.dtype(kind).itemsize * count
            part = data[at : at + size].view(kind)
            at += size
            return part.copy()

        is_process, self.states, rows, entries = (int(word) for word in take("<u8", 4))
        self.discount = float(take("<f8", 1)[0])
        self.starts = take("<i8", rows + 1)
        self.columns = take("<i4", entries)
        self.values = take("<f8", entries)
        if is_process:
            self.actions = take("<i8", self.states + 1)
            self.costs = take("<f8", rows)

    def matrix(self):
        from scipy.sparse import csr_matrix

        return csr_matrix((self.values, self.columns, self.starts), shape=(len(self.starts) - 1, self.states))


def scipy_splu(problem):
    """The balance of all states but the last, and that probabilities add up to one."""
    from scipy.sparse import csr_matrix, diags, vstack
    from scipy.sparse.linalg import splu

    n = problem.states
    rates = problem.matrix()
    balance = (rates - diags(np.asarray(rates.sum(axis=1)).ravel())).T.tocsr()
    matrix = vstack([balance[: n - 1], csr_matrix(np.ones((1, n)))]).tocsc()
    right = np.zeros(n)
    right[n - 1] = 1.0
    return splu(matrix).solve(right)


def scipy_splu_reduced(problem):
    """The balance of all states but the last, whose weight is one until the weights are scaled: no row is dense."""
    from scipy.sparse import diags
    from scipy.sparse.linalg import splu

    n = problem.states
    rates = problem.matrix()
    balance = (rates - diags(np.asarray(rates.sum(axis=1)).ravel())).T.tocsc()
    rest = splu(balance[: n - 1, : n - 1]).solve(-balance[: n - 1, n - 1].toarray().ravel())
    weights = np.append(rest, 1.0)
    return weights / weights.sum()


def scipy_power(problem):
    """Steps of the uniformised chain, at a rate somewhat above the largest, so that it is not periodic."""
    rates = problem.matrix()
    exits = np.asarray(rates.sum(axis=1)).ravel()
    inflow = rates.T.tocsr()
    rate = 1.05 * exits.max()
    x = np.full(problem.states, 1.0 / problem.states)
    step = 0
    while True:
        change = inflow @ x - exits * x
        if step % CHECK_EVERY == 0 and np.abs(change).sum() <= RESIDUAL * (exits @ x):
            return x / x.sum()
        x += change / rate
        step += 1


def quantecon_gth(problem):
    from quantecon.markov.gth_solve import gth_solve

    if problem.states > LARGEST_DENSE:
        raise Note("too large")
    rates = problem.matrix().toarray()
    np.fill_diagonal(rates, -rates.sum(axis=1))
    return gth_solve(rates, overwrite=True)


def quantecon_ddp(method):
    def solve(problem):
        from quantecon.markov import DiscreteDP

        counts = np.diff(problem.actions)
        states = np.repeat(np.arange(problem.states), counts)
        actions = np.arange(len(problem.costs)) - np.repeat(problem.actions[:-1], counts)
        process = DiscreteDP(-problem.costs, problem.matrix(), problem.discount, states, actions)
        # It promises values to within half of epsilon.
        return -process.solve(method=method, epsilon=2 * ACCURACY, max_iter=10**6).v

    return solve


def storm_model(kind, problem, rates=False, **components):
    """A model of Storm from the matrix and whatever else belongs to it."""
    from stormpy.datastructures import SparseMatrixBuilder
    from stormpy.models import SparseModelComponents, StateLabeling

    rows = len(problem.starts) - 1
    grouping = {} if rates else {"has_custom_row_grouping": True, "row_groups": problem.states}
    groups = [] if rates else problem.actions[:-1].tolist()
    # It does not want the number of entries where some stand for one move, which it adds up.
    builder = SparseMatrixBuilder[float](rows=rows, columns=problem.states, **grouping)
    # Lists are taken over faster than arrays.
    sources = np.repeat(np.arange(rows), np.diff(problem.starts)).tolist()
    builder.add_next_values(sources, problem.columns.tolist(), problem.values.tolist(), groups)
    labels = StateLabeling(problem.states)
    labels.add_label("init")
    labels.add_label_to_state("init", 0)
    parts = {"transition_matrix": builder.build(), "state_labeling": labels, "rate_transitions": rates, **components}
    return kind[float](SparseModelComponents[float](**parts))


def stormpy_stationary(choose):
    """By expected visits to all states between two visits to the last one, which is what Storm does by itself."""

    def solve(problem):
        from stormpy import environments
        from stormpy.analysis import compute_steady_state_distribution
        from stormpy.models import SparseCtmc

        model = storm_model(SparseCtmc, problem, rates=True)
        environment = choose(environments)
        visits = environments.SteadyStateDistributionAlgorithm.EXPECTED_VISITING_TIMES
        environment.modelchecker().steady_state_distribution_algorithm = visits
        return compute_steady_state_distribution(model, environment=environment).get_value_vector()

    return solve


def stormpy_iteration(environments):
    """Optimistic value iteration, the default, to a smaller relative error of visits than its 1e-6."""
    import stormpy

    environment = environments.sound()
    environment.solver().native().precision = stormpy.Rational(str(RESIDUAL))
    return environment


def stormpy_lu(environments):
    """Sparse LU, which is what Eigen does where answers have to be sound."""
    environment = environments.sound()
    environment.solver().set_linear_equation_solver_type(environments.EquationSolverType.EIGEN)
    return environment


def stormpy_gmres(environments):
    """GMRES, without a promise and to a precision that cannot be chosen here."""
    environment = environments.Environment()
    environment.solver().set_linear_equation_solver_type(environments.EquationSolverType.GMMXX)
    return environment


def stormpy_discounted(problem):
    """Value iteration, the only method for discounted costs."""
    import stormpy
    from stormpy import environments
    from stormpy.logic import parse_property
    from stormpy.models import SparseMdp, SparseRewardModel

    costs = SparseRewardModel[float](optional_state_action_reward_vector=problem.costs.tolist())
    model = storm_model(SparseMdp, problem, reward_models={"cost": costs})
    formula = parse_property(f'R{{"cost"}}min=? [ Cdiscount={problem.discount} ]')
    environment = environments.sound()
    accuracy = environment.solver().min_max()
    accuracy.precision = stormpy.Rational(str(ACCURACY))
    accuracy.relative_termination_criterion = False
    return stormpy.model_checking(model, formula, environment=environment).get_value_vector()


METHODS = {
    "scipy-splu": scipy_splu,
    "scipy-splu-reduced": scipy_splu_reduced,
    "scipy-power": scipy_power,
    "quantecon-gth": quantecon_gth,
    "quantecon-modified-policy-iteration": quantecon_ddp("modified_policy_iteration"),
    "quantecon-value-iteration": quantecon_ddp("value_iteration"),
    "stormpy-iteration": stormpy_stationary(stormpy_iteration),
    "stormpy-lu": stormpy_stationary(stormpy_lu),
    "stormpy-gmres": stormpy_stationary(stormpy_gmres),
    "stormpy-value-iteration": stormpy_discounted,
}


def small(problem):
    """A problem of the same kind with two states, for whatever happens at the first call only."""
    tiny = object.__new__(Problem)
    tiny.states, tiny.discount = 2, problem.discount
    tiny.starts = np.array([0, 1, 2], dtype=np.int64)
    tiny.columns = np.array([1, 0], dtype=np.int32)
    tiny.values = np.ones(2)
    tiny.actions = np.array([0, 1, 2], dtype=np.int64)
    tiny.costs = np.array([0.0, 1.0])
    return tiny


def versions():
    for package in ["scipy", "quantecon", "stormpy"]:
        try:
            print(package, importlib.metadata.version(package))
        except importlib.metadata.PackageNotFoundError:
            pass


def main(method, source, target):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        solve = METHODS[method]
        problem = Problem(source)
        solve(small(problem))
        start = time.process_time()
        answer = solve(problem)
        seconds = time.process_time() - start
    except ImportError:
        print("note not installed")
    except MemoryError:
        print("note out of memory")
    except Note as note:
        print("note", note)
    except RuntimeError as error:
        print("note", error)
    else:
        np.asarray(answer, dtype="<f8").tofile(target)
        print(f"{seconds:.9f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--versions"]:
        versions()
    else:
        main(*sys.argv[1:])
