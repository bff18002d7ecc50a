"""Verifies messages by the official verifier of Standard Webhooks, and puts entries on a bus of moto by AWS's own SDK."""

import json
import sys

import boto3
from moto import mock_aws
from standardwebhooks import Webhook


def verifies(secret, body, message):
    headers = {f"webhook-{name}": str(message[name]) for name in ("id", "timestamp", "signature")}
    try:
        Webhook(secret).verify(body, headers)
        return True
    except Exception:
        return False


@mock_aws
def taken(entries):
    events = boto3.client("events", "us-east-1", aws_access_key_id="a", aws_secret_access_key="b")
    events.create_event_bus(Name="flags")
    return sum(events.put_events(Entries=[entry])["FailedEntryCount"] == 0 for entry in entries)


given = json.load(open(sys.argv[1]))
messages = given["messages"]
print(
    json.dumps(
        {
            "verified": sum(verifies(secret, each["body"], each) for each in messages for secret in given["secrets"]),
            "forged": sum(verifies(given["other"], each["body"], each) for each in messages)
            + sum(verifies(given["secrets"][0], each["body"] + " ", each) for each in messages),
            "taken": taken(given["entries"]),
        }
    )
)
