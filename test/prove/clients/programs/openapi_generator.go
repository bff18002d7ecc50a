// Six calls with the client that openapi-generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	flagstaff "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func must[T any](reply T, _ *http.Response, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return reply
}

func main() {
	url, token, name := os.Args[1], os.Args[2], os.Args[3]
	configuration := flagstaff.NewConfiguration()
	configuration.Servers = flagstaff.ServerConfigurations{{URL: url}}
	client := flagstaff.NewAPIClient(configuration)
	keys := map[string]flagstaff.APIKey{"token": {Key: token}}
	ctx := context.WithValue(context.Background(), flagstaff.ContextAPIKeys, keys)

	input := flagstaff.NewFeatureInput(name)
	input.SetType("experiment")
	input.SetDescription("Generated")
	created := must(client.FeaturesAPI.CreateFeature(ctx, "default").FeatureInput(*input).Execute())

	constraint := flagstaff.NewConstraintInput("country", "IN")
	constraint.SetValues([]string{"NZ", "AU"})
	rollout := flagstaff.NewStrategyInput("flexibleRollout")
	rollout.SetParameters(map[string]string{"rollout": "50"})
	rollout.SetConstraints([]flagstaff.ConstraintInput{*constraint})
	adding := client.FeaturesAPI.AddFeatureStrategy(ctx, "default", name, "development")
	strategy := must(adding.StrategyInput(*rollout).Execute())

	must(client.FeaturesAPI.ToggleFeatureEnvironmentOn(ctx, "default", name, "development").Execute())
	read := must(client.FeaturesAPI.GetFeature(ctx, "default", name).Execute())
	projects := must(client.ProjectsAPI.GetProjects(ctx).Execute())
	archived, err := client.FeaturesAPI.ArchiveFeature(ctx, "default", name).Execute()
	if err != nil {
		log.Fatal(err)
	}

	on := []string{}
	for _, environment := range read.Environments {
		if environment.Enabled {
			on = append(on, environment.Name)
		}
	}
	owners := []string{}
	for _, owner := range projects.Projects[0].Owners {
		owners = append(owners, owner.UserOwner.Name)
	}
	printed, err := json.Marshal(map[string]any{
		"created":  []any{created.Name, created.Type, *created.Description.Get()},
		"strategy": []any{strategy.Parameters["rollout"], strategy.Constraints[0].Values},
		"on":       on,
		"owners":   owners,
		"archived": archived.StatusCode,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(printed))
}
