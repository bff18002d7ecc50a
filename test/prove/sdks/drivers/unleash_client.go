// The official SDK of Go: answers each line of JSON with one.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	unleash "github.com/Unleash/unleash-go-sdk/v5"
	"github.com/Unleash/unleash-go-sdk/v5/context"
)

type asked struct {
	Ask     string `json:"ask"`
	Flag    string `json:"flag"`
	Context struct {
		UserId     string            `json:"userId"`
		Properties map[string]string `json:"properties"`
	} `json:"context"`
}

// What the SDK says of its requests, and of what goes wrong.
type heard struct {
	unleash.NoopListener
	lock      sync.Mutex
	isReady   bool
	unchanged int
	errors    []string
}

func (h *heard) note(do func()) {
	h.lock.Lock()
	defer h.lock.Unlock()
	do()
}

func (h *heard) OnReady()            { h.note(func() { h.isReady = true }) }
func (h *heard) OnError(err error)   { h.note(func() { h.errors = append(h.errors, err.Error()) }) }
func (h *heard) OnWarning(err error) { h.OnError(err) }

func (h *heard) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err == nil && response.StatusCode == http.StatusNotModified {
		h.note(func() { h.unchanged++ })
	}
	return response, err
}

func main() {
	heard := &heard{errors: []string{}}
	client, err := unleash.NewClient(
		unleash.WithUrl(os.Args[1]+"/api/"),
		unleash.WithAppName(os.Args[3]),
		unleash.WithCustomHeaders(http.Header{"Authorization": {os.Args[2]}}),
		unleash.WithRefreshInterval(time.Second),
		unleash.WithMetricsInterval(time.Second),
		unleash.WithHttpClient(&http.Client{Transport: heard}),
		unleash.WithListener(heard),
	)
	if err != nil {
		panic(err)
	}
	defer client.Close()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var line asked
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			panic(err)
		}
		var answer any
		ctx := context.Context{UserId: line.Context.UserId, Properties: line.Context.Properties}
		switch line.Ask {
		case "enabled":
			answer = client.IsEnabled(line.Flag, unleash.WithContext(ctx))
		case "payload":
			answer = client.GetVariant(line.Flag, unleash.WithVariantContext(ctx)).Payload
		default:
			heard.note(func() {
				answer = map[string]any{"ready": heard.isReady, "unchanged": heard.unchanged, "errors": heard.errors}[line.Ask]
			})
		}
		text, err := json.Marshal(answer)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
	}
}
