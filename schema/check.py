#!/usr/bin/env python3
"""Check JSON Lines on standard input against a JSON Schema file: check.py SCHEMA."""
import json
import sys

import jsonschema


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    faults = 0
    for number, line in enumerate(sys.stdin.buffer, 1):
        for error in validator.iter_errors(json.loads(line.decode("utf-8"))):
            faults += 1
            where = "/".join(str(part) for part in error.absolute_path)
            print(f"line {number} at {where or 'top'}: {error.message[:300]}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
