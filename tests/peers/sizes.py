"""At which sizes the exports of models/ are compared, and what is asked of some besides their specs.

Small ones: the verifiers are compiled without optimization.
"""

SIZES = {
    "chain": ["-D", "LENGTH=50"],
    "dining_philosophers_n": ["-D", "SEATS=4"],
    "dining_philosophers_n_faulty": ["-D", "SEATS=4"],
    "german": ["-D", "cache=2"],
    "flash": ["-D", "node=2"],
    "resource_controller": ["-D", "client=4"],
    "resource_controller_no_priority": ["-D", "client=4"],
}

# Formulas of linear time, of all runs and of the fair ones.
LINEAR = {
    "resource_controller": [
        "G(lk[0] = 1 -> F lk[0] = 2)",
        "forall i in client . G(lk[i] = 1 -> F lk[i] = 2)",
        "forall i, j in client . i = j | G !(lk[i] = 2 & lk[j] = 2)",
        "G F COUNT(i in client : lk[i] = 2) = 0",
        "(exists i in client . lk[i] = 2) R COUNT(i in client : lk[i] = 2) < 2",
    ],
    "leader_election": [
        "F deadlock",
        "leader = none U leader = node(1)",
        "(exists n in node . started[n] & leader = n) R leader = none",
    ],
    "dining_philosophers": [
        "G F !deadlock",
        "F deadlock | G F holder[0] = none",
    ],
}
