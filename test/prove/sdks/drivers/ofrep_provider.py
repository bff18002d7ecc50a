"""The OpenFeature provider of Python: answers each line of JSON with one."""

import json
import sys

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

url, token = sys.argv[1:]

api.set_provider(OFREPProvider(base_url=url, headers_factory=lambda: {"Authorization": token}))
client = api.get_client()
details = {
    "boolean": client.get_boolean_details,
    "string": client.get_string_details,
    "number": client.get_integer_details,
    "object": client.get_object_details,
}

for line in sys.stdin:
    asked = json.loads(line)
    context = dict(asked["context"])
    found = details[asked["ask"]](
        asked["flag"], asked["default"], EvaluationContext(context.pop("targetingKey", None), context)
    )
    error = found.error_code.value if found.error_code else None
    print(json.dumps({"value": found.value, "error": error}), flush=True)
