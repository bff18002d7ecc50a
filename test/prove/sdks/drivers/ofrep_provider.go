// The OpenFeature provider of Go: answers each line of JSON with one.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/open-feature/go-sdk-contrib/providers/ofrep"
	"github.com/open-feature/go-sdk/openfeature"
)

type asked struct {
	Ask     string         `json:"ask"`
	Flag    string         `json:"flag"`
	Default any            `json:"default"`
	Context map[string]any `json:"context"`
}

type answer struct {
	Value any     `json:"value"`
	Error *string `json:"error"`
}

func main() {
	provider := ofrep.NewProvider(os.Args[1], ofrep.WithHeader("Authorization", os.Args[2]))
	if err := openfeature.SetProviderAndWait(provider); err != nil {
		panic(err)
	}
	client := openfeature.NewClient("prove")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var line asked
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			panic(err)
		}
		text, err := json.Marshal(found(client, line))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
	}
}

func found(client *openfeature.Client, line asked) answer {
	ctx := context.Background()
	key, _ := line.Context["targetingKey"].(string)
	delete(line.Context, "targetingKey")
	sent := openfeature.NewEvaluationContext(key, line.Context)
	switch line.Ask {
	case "boolean":
		details, _ := client.BooleanValueDetails(ctx, line.Flag, line.Default.(bool), sent)
		return answer{details.Value, errorOf(details.ErrorCode)}
	case "string":
		details, _ := client.StringValueDetails(ctx, line.Flag, line.Default.(string), sent)
		return answer{details.Value, errorOf(details.ErrorCode)}
	case "number":
		details, _ := client.IntValueDetails(ctx, line.Flag, int64(line.Default.(float64)), sent)
		return answer{details.Value, errorOf(details.ErrorCode)}
	default:
		details, _ := client.ObjectValueDetails(ctx, line.Flag, line.Default, sent)
		return answer{details.Value, errorOf(details.ErrorCode)}
	}
}

func errorOf(code openfeature.ErrorCode) *string {
	if code == "" {
		return nil
	}
	text := string(code)
	return &text
}
