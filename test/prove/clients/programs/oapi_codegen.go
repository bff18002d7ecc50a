// Six calls with the client that oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"prove/flagstaff"
)

func must[T any](reply T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return reply
}

func main() {
	url, token, name := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", token)
		return nil
	}
	client := must(flagstaff.NewClientWithResponses(url, flagstaff.WithRequestEditorFn(authorize)))

	kind, description := flagstaff.FeatureInputTypeExperiment, "Generated"
	input := flagstaff.FeatureInput{Name: name, Type: &kind, Description: &description}
	created := must(client.CreateFeatureWithResponse(ctx, "default", nil, input)).JSON201

	constraints := []flagstaff.ConstraintInput{{
		ContextName: "country",
		Operator:    flagstaff.ConstraintInputOperatorIN,
		Values:      &[]string{"NZ", "AU"},
	}}
	rollout := flagstaff.StrategyInput{
		Name:        "flexibleRollout",
		Parameters:  &map[string]string{"rollout": "50"},
		Constraints: &constraints,
	}
	strategy := must(client.AddFeatureStrategyWithResponse(ctx, "default", name, "development", nil, rollout)).JSON200

	must(client.ToggleFeatureEnvironmentOnWithResponse(ctx, "default", name, "development", nil))
	read := must(client.GetFeatureWithResponse(ctx, "default", name, nil)).JSON200
	projects := must(client.GetProjectsWithResponse(ctx, nil)).JSON200
	archived := must(client.ArchiveFeatureWithResponse(ctx, "default", name, nil))

	on := []string{}
	for _, environment := range read.Environments {
		if environment.Enabled {
			on = append(on, environment.Name)
		}
	}
	owners := []string{}
	for _, owner := range projects.Projects[0].Owners {
		owners = append(owners, must(owner.AsUserOwner()).Name)
	}
	fmt.Println(string(must(json.Marshal(map[string]any{
		"created":  []any{created.Name, created.Type, *created.Description},
		"strategy": []any{strategy.Parameters["rollout"], strategy.Constraints[0].Values},
		"on":       on,
		"owners":   owners,
		"archived": archived.StatusCode(),
	}))))
}
