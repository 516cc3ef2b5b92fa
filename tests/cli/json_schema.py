"""JSON Schema, as much of it as docs/report.schema.json uses.

    for finding in json_schema.findings(document, schema): print(finding)

A keyword that is not known here is an error: nothing of a schema is ignored.
"""

TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}
SAYS_NOTHING = {"$schema", "$defs", "title", "description"}
KNOWN = SAYS_NOTHING | {"$ref", "type", "enum", "const", "minimum", "required", "properties", "additionalProperties",
                        "items"}


def findings(document, schema):
    """What is wrong with the document, as `place: message`."""
    pending = [("$", document, schema)]
    while pending:
        place, value, rule = pending.pop()
        if unknown := set(rule) - KNOWN:
            raise ValueError(f"the schema uses {sorted(unknown)}, which this validator does not know")
        if "$ref" in rule:
            pending.append((place, value, resolved(rule["$ref"], schema)))
        types = rule.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(TYPES[name](value) for name in types):
            yield f"{place}: {value!r} is no {' or '.join(types)}"
            continue
        if "enum" in rule and value not in rule["enum"]:
            yield f"{place}: {value!r} is none of {rule['enum']}"
        if "const" in rule and value != rule["const"]:
            yield f"{place}: {value!r} is not {rule['const']!r}"
        if "minimum" in rule and TYPES["number"](value) and value < rule["minimum"]:
            yield f"{place}: {value!r} is less than {rule['minimum']}"
        if isinstance(value, dict):
            for name in rule.get("required", []):
                if name not in value:
                    yield f"{place}: '{name}' is missing"
            for name, member in value.items():
                inner = rule.get("properties", {}).get(name, rule.get("additionalProperties", {}))
                if inner is False:
                    yield f"{place}: '{name}' is not in the schema"
                else:
                    pending.append((f"{place}.{name}", member, inner))
        if isinstance(value, list) and "items" in rule:
            pending.extend((f"{place}[{i}]", item, rule["items"]) for i, item in enumerate(value))


def resolved(reference, schema):
    assert reference.startswith("#/"), reference
    for name in reference[2:].split("/"):
        schema = schema[name]
    return schema
