"""Statistics of patterns on a sequential trace, straight from their definition: slow, and too simple to be wrong.

A trace is a list of truths for each of p, s, q, r, a list of time stamps (None: there are none) and a list of lines.
A *scope* is a list of neighbouring positions; what is counted is counted inside the scopes.
"""

from fractions import Fraction

SCOPES = ("globally", "before", "after", "between", "after until")
# With a trigger there is an answer; of the others the distances are those from one occurrence to the next.
KINDS = ("universality", "absence", "existence", "bounded existence", "response", "precedence", "frequency",
         "time interval")


def scopes(scope, length, q, r):
    """Lists of positions: those over which the pattern speaks."""
    if scope == "globally":
        return [list(range(length))]
    if scope == "before":
        ends = [i for i in range(length) if r[i]]
        return [list(range(ends[0]))] if ends else []
    if scope == "after":
        begins = [i for i in range(length) if q[i]]
        return [list(range(begins[0], length))] if begins else []
    found = []
    begin = None
    for i in range(length):
        if begin is not None and r[i]:
            found.append(list(range(begin, i)))
            begin = None
        if begin is None and q[i] and not r[i]:
            begin = i
    if begin is not None and scope == "after until":
        found.append(list(range(begin, length)))
    return found


def rounded(number):
    """Six places, half away from zero, without zeros at the end."""
    scaled = abs(number) * 10**6
    whole = int(scaled)
    if scaled - whole >= Fraction(1, 2):
        whole += 1
    return Fraction(whole, 10**6) * (-1 if number < 0 else 1)


def figures(kind, scope, p, s, q, r, times, lines):
    """By name, what --statistics says."""
    length = len(p)
    regions = scopes(scope, length, q, r)
    made = {}
    if scope in ("before", "between", "after until"):
        made["scopes"] = len(regions)
    places = [i for region in regions for i in region if p[i]]
    made["triggers" if kind == "response" else "occurrences"] = len(places)
    distances = []  # pairs of positions
    if kind == "response":
        for region in regions:
            for i in region:
                if p[i]:
                    answers = [j for j in region if j >= i and s[j]]
                    distances += [(i, answers[0])] if answers else []
        made["answered"] = len(distances)
        made["unanswered"] = len(places) - len(distances)
    elif kind == "precedence":
        for region in regions:
            for i in region:
                if p[i]:
                    before = [j for j in region if j <= i and s[j]]
                    distances += [(before[-1], i)] if before else []
        made["preceded"] = len(distances)
        made["unpreceded"] = len(places) - len(distances)
    else:
        for region in regions:
            inside = [i for i in region if p[i]]
            distances += list(zip(inside, inside[1:]))
    if kind == "universality":
        made["violations"] = sum(1 for region in regions for i in region if not p[i])
    if kind == "bounded existence":
        made["most_in_a_scope"] = max(
            [sum(1 for i in region if p[i] and not (i - 1 in region and p[i - 1])) for region in regions], default=0)
    for unit, values in (("positions", [Fraction(b - a) for a, b in distances]),
                         ("time", [times[b] - times[a] for a, b in distances] if times else [])):
        if values:
            made["shortest_" + unit] = min(values)
            made["longest_" + unit] = max(values)
            made["mean_" + unit] = rounded(sum(values) / len(values))
    for which, at in (("first", places[:1]), ("last", places[-1:])):
        for i in at:
            made[which + "_position"] = i
            made[which + "_line"] = lines[i]
            if times:
                made[which + "_time"] = times[i]
    return {name: Fraction(value) for name, value in made.items()}


def formulas(p, s, q, r):
    """The formulas of Dwyer's catalogue: (kind, scope, text)."""
    def stretches(bound):
        rest = f"G !({p})"
        for _ in range(bound):
            rest = f"(!({p}) W (({p}) W ({rest})))"
        return rest

    def until_r(bound, rest):
        for _ in range(bound):
            rest = f"((!({p}) & !({r})) U (({r}) | ((({p}) & !({r})) U (({r}) | ({rest})))))"
        return rest
    answered = f"(({p}) -> (!({r}) U (({s}) & !({r}))))"
    for kind, there in (("universality", f"({p})"), ("absence", f"!({p})")):
        yield kind, "globally", f"G {there}"
        yield kind, "before", f"F ({r}) -> ({there} U ({r}))"
        yield kind, "after", f"G(({q}) -> G {there})"
        yield kind, "between", f"G((({q}) & !({r}) & F ({r})) -> ({there} U ({r})))"
        yield kind, "after until", f"G((({q}) & !({r})) -> ({there} W ({r})))"
    yield "existence", "globally", f"F ({p})"
    yield "existence", "before", f"!({r}) W (({p}) & !({r}))"
    yield "existence", "after", f"G !({q}) | F(({q}) & F ({p}))"
    yield "existence", "between", f"G((({q}) & !({r})) -> (!({r}) W (({p}) & !({r}))))"
    yield "existence", "after until", f"G((({q}) & !({r})) -> (!({r}) U (({p}) & !({r}))))"
    for bound in (1, 2):
        yield f"bounded existence ({bound})", "globally", stretches(bound)
        yield f"bounded existence ({bound})", "before", f"F ({r}) -> {until_r(bound, f'!({p}) U ({r})')}"
        yield f"bounded existence ({bound})", "after", f"F ({q}) -> (!({q}) U (({q}) & {stretches(bound)}))"
        yield (f"bounded existence ({bound})", "between",
               f"G((({q}) & F ({r})) -> {until_r(bound, f'!({p}) U ({r})')})")
        yield (f"bounded existence ({bound})", "after until",
               f"G(({q}) -> {until_r(bound, f'(!({p}) W ({r})) | G ({p})')})")
    yield "response", "globally", f"G(({p}) -> F ({s}))"
    yield "response", "before", f"F ({r}) -> ({answered} U ({r}))"
    yield "response", "after", f"G(({q}) -> G(({p}) -> F ({s})))"
    yield "response", "between", f"G((({q}) & !({r}) & F ({r})) -> ({answered} U ({r})))"
    yield "response", "after until", f"G((({q}) & !({r})) -> ({answered} W ({r})))"
    yield "precedence", "globally", f"!({p}) W ({s})"
    yield "precedence", "before", f"F ({r}) -> (!({p}) U (({s}) | ({r})))"
    yield "precedence", "after", f"G !({q}) | F(({q}) & (!({p}) W ({s})))"
    yield "precedence", "between", f"G((({q}) & !({r}) & F ({r})) -> (!({p}) U (({s}) | ({r}))))"
    yield "precedence", "after until", f"G((({q}) & !({r})) -> (!({p}) W (({s}) | ({r}))))"
    yield "frequency", "globally", f"G F ({p})"
