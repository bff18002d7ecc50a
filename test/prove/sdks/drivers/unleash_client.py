"""The official SDK of Python: answers each line of JSON with one."""

import json
import logging
import sys
import tempfile

from UnleashClient import UnleashClient

url, token, app_name, mode = sys.argv[1:]


class Heard(logging.Handler):
    """What the SDK says of its requests, and of what goes wrong."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.unchanged = 0
        self.errors = []

    def emit(self, record):
        message = record.getMessage()
        if '" 304' in message:
            self.unchanged += 1
        if record.levelno >= logging.WARNING:
            self.errors.append(message)


heard = Heard()
for name in ("UnleashClient", "urllib3.connectionpool"):
    logger = logging.getLogger(name)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(heard)



def measure(orders, seconds):
    metrics = client.impact_metrics
    metrics.define_counter("prove_orders", "Orders")
    metrics.increment_counter("prove_orders", orders)
    metrics.define_histogram("prove_seconds", "Seconds", [1.0, 10.0])
    metrics.observe_histogram("prove_seconds", seconds)


with tempfile.TemporaryDirectory() as directory:
    client = UnleashClient(
        url=f"{url}/api",
        app_name=app_name,
        refresh_interval=1,
        metrics_interval=1,
        custom_headers={"Authorization": token},
        cache_directory=directory,
        verbose_log_level=logging.WARNING,
        experimental_mode={"type": mode},
    )
    client.initialize_client()
    try:
        for line in sys.stdin:
            asked = json.loads(line)
            answers = {
                "ready": lambda: client.is_initialized and len(client.feature_definitions()) > 0,
                "enabled": lambda: client.is_enabled(asked["flag"], asked["context"]),
                "payload": lambda: client.get_variant(asked["flag"], asked["context"]).get("payload"),
                "unchanged": lambda: heard.unchanged,
                "errors": lambda: heard.errors,
                "measure": lambda: measure(asked["orders"], asked["seconds"]),
            }
            print(json.dumps(answers[asked["ask"]]()), flush=True)
    finally:
        client.destroy()
