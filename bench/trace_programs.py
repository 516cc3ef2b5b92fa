"""Random runs of the programs of paper 001, Table 1, as partial-order traces in the native form.

    trace_programs.py pet 2000 > pet.trace
    trace_programs.py petn 5000 --processes 10 --seed 7

An event is one assignment.  It comes after the last write of everything that it reads or writes, and after the reads, since
then, of what it writes: the order in which the run happened, as far as anybody could have noticed.  Messages: a receipt comes
after its sending.
"""
import argparse
import random


class Recorder:
    """Collects events; knows who wrote and who read a variable last."""

    def __init__(self, num_processes, limit):
        self.lines = ["process " + " ".join(f"P{p}" for p in range(num_processes))]
        self.count = [0] * num_processes
        self.limit = limit
        self.writer = {}
        self.readers = {}

    def full(self):
        return len(self.lines) > self.limit

    def event(self, process, assignment=None, reads=(), after=()):
        """`assignment` is (variable, value).  Returns the event, to be named in `after`."""
        if self.full():
            return None
        before = set(after)
        for name in reads:
            before.add(self.writer.get(name))
        if assignment:
            name = assignment[0]
            before.add(self.writer.get(name))
            before.update(self.readers.get(name, ()))
        self.count[process] += 1
        me = (process, self.count[process])
        before = sorted(e for e in before if e and e[0] != process)
        text = f"P{process} " + (f"{assignment[0]} := {assignment[1]}" if assignment else "skip")
        if before:
            text += " after " + ", ".join(f"P{p}#{n}" for p, n in before)
        self.lines.append(text)
        for name in reads:
            self.readers.setdefault(name, set()).add(me)
        if assignment:
            self.writer[assignment[0]] = me
            self.readers[assignment[0]] = set()
        return me

    def text(self):
        return "\n".join(self.lines) + "\n"


def run(recorder, programs, rng):
    """Programs are generators: they yield once a step, True if they moved."""
    while not recorder.full():
        next(programs[rng.randrange(len(programs))])


def peterson(recorder, shared, me):
    other = 1 - me
    while True:
        shared[f"flag{me}"] = 1
        recorder.event(me, (f"flag{me}", 1))
        yield
        shared["turn"] = other
        recorder.event(me, ("turn", other))
        yield
        while shared.get(f"flag{other}") and shared["turn"] == other:
            yield
        recorder.event(me, (f"crit{me}", 1), reads=(f"flag{other}", "turn"))
        yield
        recorder.event(me, (f"crit{me}", 0))
        yield
        shared[f"flag{me}"] = 0
        recorder.event(me, (f"flag{me}", 0))
        yield


def filter_lock(recorder, shared, me, size):
    while True:
        for level in range(1, size):
            shared[f"level{me}"] = level
            recorder.event(me, (f"level{me}", level))
            yield
            shared[f"waiting{level}"] = me
            recorder.event(me, (f"waiting{level}", me))
            yield
            while shared[f"waiting{level}"] == me and any(
                shared.get(f"level{k}", 0) >= level for k in range(size) if k != me
            ):
                yield
            last = level + 1 == size
            recorder.event(
                me,
                (f"crit{me}", 1) if last else None,
                reads=[f"level{k}" for k in range(size) if k != me] + [f"waiting{level}"],
            )
            yield
        recorder.event(me, (f"crit{me}", 0))
        yield
        shared[f"level{me}"] = 0
        recorder.event(me, (f"level{me}", 0))
        yield


def sender(recorder, messages, acks, rng):
    bit = 0
    while True:
        sent = recorder.event(0, ("sent_msg", bit))
        if rng.random() < 0.8:
            messages.append((bit, sent))
        yield
        for _ in range(8):
            if acks:
                break
            yield
        if acks:
            value, event = acks.pop(0)
            recorder.event(0, ("received_ack", value), after=(event,))
            yield
            if value == bit:
                bit = 1 - bit


def receiver(recorder, messages, acks, rng):
    while True:
        while not messages:
            yield
        value, event = messages.pop(0)
        recorder.event(1, ("received_msg", value), after=(event,))
        yield
        sent = recorder.event(1, ("sent_ack", value))
        if rng.random() < 0.8:
            acks.append((value, sent))
        yield


def philosopher(recorder, forks, me, size, rng):
    first, second = sorted((me, (me + 1) % size))
    while True:
        recorder.event(me, (f"state{me}", 1))  # hungry
        yield
        for fork in (first, second):
            while forks[fork] is not None:
                yield
            forks[fork] = me
            recorder.event(me, (f"fork{fork}", me + 1), reads=(f"fork{fork}",))
            yield
        recorder.event(me, (f"state{me}", 2))  # eat
        yield
        for _ in range(rng.randrange(3)):
            yield
        recorder.event(me, (f"state{me}", 0))  # think
        yield
        for fork in (first, second):
            forks[fork] = None
            recorder.event(me, (f"fork{fork}", 0))
            yield


def pair_member(recorder, locks, me, rng):
    """Each two neighbours share a lock; what else they do orders nothing."""
    lock = f"lock{me // 2}"
    while True:
        for _ in range(rng.randrange(4)):
            recorder.event(me, (f"work{me}", rng.randrange(5)))
            yield
        while locks.get(lock):
            yield
        locks[lock] = True
        recorder.event(me, (lock, me + 1), reads=(lock,))
        yield
        recorder.event(me, (f"crit{me}", 1))
        yield
        recorder.event(me, (f"crit{me}", 0))
        yield
        locks[lock] = False
        recorder.event(me, (lock, 0))
        yield


def make(program, events, processes, seed):
    rng = random.Random(seed)
    if program in ("pet", "abp"):
        processes = 2
    recorder = Recorder(processes, events)
    if program == "pet":
        shared = {}
        programs = [peterson(recorder, shared, p) for p in range(2)]
    elif program == "petn":
        shared = {}
        programs = [filter_lock(recorder, shared, p, processes) for p in range(processes)]
    elif program == "abp":
        messages, acks = [], []
        programs = [sender(recorder, messages, acks, rng), receiver(recorder, messages, acks, rng)]
    elif program == "pairs":
        locks = {}
        programs = [pair_member(recorder, locks, p, rng) for p in range(processes)]
    else:
        forks = [None] * processes
        programs = [philosopher(recorder, forks, p, processes, rng) for p in range(processes)]
    run(recorder, programs, rng)
    return recorder.text()


def formula(program, processes):
    """The paper's property, with crit_i in the place of its counter: that orders all writes and hides the race."""
    if program in ("pet", "petn"):
        size = 2 if program == "pet" else processes
        return "AG(" + " & ".join(
            f"!(crit{i} = 1 & crit{j} = 1)" for i in range(size) for j in range(i + 1, size)
        ) + ")"
    if program == "pairs":
        return "AG(" + " & ".join(f"!(crit{i} = 1 & crit{i + 1} = 1)" for i in range(0, processes - 1, 2)) + ")"
    if program == "abp":
        return "AG(sent_msg = 0 -> AF received_msg = 0)"
    return "AG(state1 = 2 -> (AG state1 = 2 | A[state0 != 2 U state1 != 2]))"


def neighbours(processes, variable="state{}", value=2):
    """Critical sections of neighbours in a ring never overlap."""
    name = variable.format
    return "AG(" + " & ".join(
        f"!({name(i)} = {value} & {name((i + 1) % processes)} = {value})" for i in range(processes)
    ) + ")"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", choices=("pet", "petn", "abp", "phil", "pairs"))
    parser.add_argument("events", type=int)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--formula", action="store_true", help="print the property, not the trace")
    given = parser.parse_args()
    if given.formula:
        print(formula(given.program, given.processes))
    else:
        print(make(given.program, given.events, given.processes, given.seed), end="")
