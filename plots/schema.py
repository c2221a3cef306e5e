"""Checks a document by results/schema.json, at the door: code behind it does not check again.

This is the part of JSON Schema that the file uses; a keyword that it does not know is an error. A schema becomes nested functions
once, because a report checks hundreds of thousands of values. `description` completes "is not ..." in messages.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

SCHEMA_FILE = Path(__file__).resolve().parent.parent / "results" / "schema.json"
#: Python's type per type of JSON. A bool is no number here, although Python says so.
TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "number": (int, float),
    "integer": (int,),
    "null": (type(None),),
}
ANNOTATIONS = {"$schema", "$defs", "title", "description", "$ref"}
KEYWORDS = ANNOTATIONS | {
    *(
        "type",
        "enum",
        "minimum",
        "exclusiveMinimum",
        "maximum",
        "maxLength",
        "pattern",
        "minItems",
        "maxItems",
        "items",
    ),
    *("prefixItems", "required", "properties", "maxProperties", "propertyNames", "additionalProperties"),
}

Check = Callable[[Any], None]


class Misfit(Exception):
    """A value that does not fit: where it is, and what it is not."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why
        self.where: list[str] = []

    def inside(self, step: str) -> Misfit:
        self.where.insert(0, step)
        return self

    def __str__(self) -> str:
        place = "".join(self.where).removeprefix(".") or "the document"
        return f"{place if len(place) <= 200 else place[:200] + '...'}: {self.why}"


def check(document: object, part: str = "") -> None:
    """Raises Misfit if the document does not fit the schema, or the part of it of this name."""
    try:
        _checks(part)(document)
    except RecursionError:
        raise Misfit("is nested too deeply") from None


@lru_cache(maxsize=None)
def _checks(part: str) -> Check:
    root = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return _Compiler(root["$defs"]).check_of(root["$defs"][part] if part else root)


class _Compiler:
    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.parts = parts
        self.known: dict[str, list[Check]] = {}

    def check_of(self, schema: Mapping[str, Any]) -> Check:
        unknown = sorted(set(schema) - KEYWORDS)
        if unknown:
            raise ValueError(f"{SCHEMA_FILE.name} has the keyword {unknown[0]}, which plots/schema.py does not know")
        if "$ref" in schema:
            return self._named(schema["$ref"].removeprefix("#/$defs/"))
        what = schema.get("description")
        makers = (_typed, _listed, _ranged, _written)
        checks = [made for make in makers if (made := make(schema, f"is not {what}" if what else "")) is not None]
        checks += [made for made in (self._array(schema), self._object(schema)) if made is not None]
        return checks[0] if len(checks) == 1 else _all(checks)

    def _named(self, name: str) -> Check:
        """A part may contain itself, so it is looked up when it is used."""
        if name not in self.known:
            cell: list[Check] = []
            self.known[name] = cell
            cell.append(self.check_of(self.parts[name]))
        cell = self.known[name]
        return cell[0] if cell else lambda value: cell[0](value)

    def _array(self, schema: Mapping[str, Any]) -> Check | None:
        if not {"items", "prefixItems", "minItems", "maxItems"} & set(schema):
            return None
        least, most = schema.get("minItems", 0), schema.get("maxItems", math.inf)
        first = [self.check_of(one) for one in schema.get("prefixItems", [])]
        rest = self.check_of(schema["items"]) if "items" in schema else None

        def check_array(value: Any) -> None:
            if not isinstance(value, list):
                return
            if not least <= len(value) <= most:
                raise Misfit(f"has {len(value)} entries")
            index = 0
            try:
                for index, entry in enumerate(value):
                    one = first[index] if index < len(first) else rest
                    if one is not None:
                        one(entry)
            except Misfit as misfit:
                raise misfit.inside(f"[{index}]")

        return check_array

    def _object(self, schema: Mapping[str, Any]) -> Check | None:
        if not {"properties", "required", "maxProperties", "propertyNames", "additionalProperties"} & set(schema):
            return None
        required, most = schema.get("required", []), schema.get("maxProperties", math.inf)
        known = {key: self.check_of(one) for key, one in schema.get("properties", {}).items()}
        names = self.check_of(schema["propertyNames"]) if "propertyNames" in schema else None
        others = self.check_of(schema["additionalProperties"]) if "additionalProperties" in schema else None

        def check_object(value: Any) -> None:
            if not isinstance(value, dict):
                return
            for key in required:
                if key not in value:
                    raise Misfit("is missing").inside(f".{key}")
            if len(value) > most:
                raise Misfit(f"has {len(value)} entries")
            key = ""
            try:
                for key, entry in value.items():
                    if names is not None:
                        names(key)
                    one = known.get(key, others)
                    if one is not None:
                        one(entry)
            except Misfit as misfit:
                raise misfit.inside(f".{key}")

        return check_object


def _all(checks: list[Check]) -> Check:
    def check_all(value: Any) -> None:
        for one in checks:
            one(value)

    return check_all


def _typed(schema: Mapping[str, Any], what: str) -> Check | None:
    if "type" not in schema:
        return None
    names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    types = tuple(python for name in names for python in TYPES[name])
    bools, whole = "boolean" in names, "integer" in names
    said = what or f"is not of type {' or '.join(names)}"

    def check_type(value: Any) -> None:
        if isinstance(value, types) and (bools or not isinstance(value, bool)):
            return
        # JSON does not tell 2.0 from 2.
        if not (whole and isinstance(value, float) and value.is_integer()):
            raise Misfit(said)

    return check_type


def _listed(schema: Mapping[str, Any], what: str) -> Check | None:
    if "enum" not in schema:
        return None
    allowed = schema["enum"]
    said = what or f"is not one of {', '.join(map(json.dumps, allowed))}"

    def check_listed(value: Any) -> None:
        if not (value is None or isinstance(value, str)) or value not in allowed:
            raise Misfit(said)

    return check_listed


def _ranged(schema: Mapping[str, Any], what: str) -> Check | None:
    if not {"minimum", "exclusiveMinimum", "maximum"} & set(schema):
        return None
    least, most = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    above = schema.get("exclusiveMinimum", -math.inf)
    said = what or f"is not a number from {least:g} to {most:g}"

    def check_range(value: Any) -> None:
        # Not a number compares as false.
        if isinstance(value, (int, float)) and not (least <= value <= most and value > above):
            raise Misfit(said)

    return check_range


def _written(schema: Mapping[str, Any], what: str) -> Check | None:
    if not {"pattern", "maxLength"} & set(schema):
        return None
    # JSON Schema searches; the file's patterns begin with ^ and end with $, which Python lets match before a line end.
    matches = re.compile(schema.get("pattern", r"[^\ud800-\udfff]*"), re.DOTALL).fullmatch
    most = schema.get("maxLength", 65536)
    said = what or "is not a text that fits"

    def check_text(value: Any) -> None:
        if isinstance(value, str) and (len(value) > most or matches(value) is None):
            raise Misfit(said)

    return check_text
