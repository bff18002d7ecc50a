"""Six calls with the client that openapi-python-client makes."""

import json
import sys
from http import HTTPStatus
from typing import TypeVar

from flagstaff_client import AuthenticatedClient
from flagstaff_client.api.features import (
    add_feature_strategy,
    archive_feature,
    create_feature,
    get_feature,
    toggle_feature_environment_on,
)
from flagstaff_client.api.projects import get_projects
from flagstaff_client.models import (
    ConstraintInput,
    ConstraintInputOperator,
    Feature,
    FeatureInput,
    FeatureInputType,
    FeatureStrategy,
    GetProjectsResponse200,
    StrategyInput,
    StrategyInputParameters,
    UserOwner,
)

Reply = TypeVar("Reply")


def expect(kind: type[Reply], reply: object) -> Reply:
    if not isinstance(reply, kind):
        raise TypeError(f"{kind.__name__} was expected: {reply}")
    return reply


url, token, name = sys.argv[1:]
with AuthenticatedClient(base_url=url, token=token, prefix="") as client:
    body = FeatureInput(name=name, type_=FeatureInputType.EXPERIMENT, description="Generated")
    created = expect(Feature, create_feature.sync("default", client=client, body=body))

    parameters = StrategyInputParameters()
    parameters["rollout"] = "50"
    constraint = ConstraintInput(
        context_name="country", operator=ConstraintInputOperator.IN, values=["NZ", "AU"]
    )
    rollout = StrategyInput(name="flexibleRollout", parameters=parameters, constraints=[constraint])
    strategy = expect(
        FeatureStrategy, add_feature_strategy.sync("default", name, "development", client=client, body=rollout)
    )

    toggle_feature_environment_on.sync("default", name, "development", client=client)
    read = expect(Feature, get_feature.sync("default", name, client=client))
    projects = expect(GetProjectsResponse200, get_projects.sync(client=client))
    archived = archive_feature.sync_detailed("default", name, client=client)

printed = {
    "created": [created.name, created.type_, created.description],
    "strategy": [strategy.parameters["rollout"], strategy.constraints[0].values],
    "on": [each.name for each in read.environments if each.enabled],
    "owners": [expect(UserOwner, each).name for each in projects.projects[0].owners],
    "archived": HTTPStatus(archived.status_code).value,
}
print(json.dumps(printed))
