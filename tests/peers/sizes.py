"""Sizes at which the exports of models/ are compared: small ones, the verifiers are compiled without optimization."""

SIZES = {
    "chain": ["-D", "LENGTH=50"],
    "german": ["-D", "cache=2"],
    "flash": ["-D", "node=2"],
    "resource_controller": ["-D", "client=4"],
    "resource_controller_no_priority": ["-D", "client=4"],
}
