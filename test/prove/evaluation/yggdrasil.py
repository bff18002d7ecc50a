"""The engine of Unleash's other SDKs: reads a state and contexts, and answers what each flag is for each context."""

import json
import sys

from yggdrasil_engine.engine import UnleashEngine

asked = json.load(sys.stdin)
engine = UnleashEngine()
engine.take_state(json.dumps(asked["state"]))
names = [feature["name"] for feature in asked["state"]["features"]]


def outcome(name, context):
    enabled = engine.is_enabled(name, context).is_enabled
    variant = engine.get_variant(name, context).variant if enabled else None
    return [bool(enabled), variant.name if variant else "disabled"]


json.dump([{name: outcome(name, context) for name in names} for context in asked["contexts"]], sys.stdout)
