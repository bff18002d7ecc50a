import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.getunleash.DefaultUnleash;
import io.getunleash.Unleash;
import io.getunleash.UnleashContext;
import io.getunleash.UnleashException;
import io.getunleash.event.ClientFeaturesResponse;
import io.getunleash.event.UnleashReady;
import io.getunleash.event.UnleashSubscriber;
import io.getunleash.impactmetrics.MetricsAPI;
import io.getunleash.util.UnleashConfig;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.util.Collections;
import java.util.List;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The official SDK of Java: answers each line of JSON with one. */
public class UnleashClientJava {
    public static void main(String[] args) throws Exception {
        AtomicBoolean ready = new AtomicBoolean();
        AtomicInteger unchanged = new AtomicInteger();
        List<String> errors = Collections.synchronizedList(new ArrayList<>());
        UnleashSubscriber subscriber = new UnleashSubscriber() {
            @Override
            public void onReady(UnleashReady event) {
                ready.set(true);
            }

            @Override
            public void onError(UnleashException error) {
                errors.add(error.getMessage());
            }

            @Override
            public void togglesFetched(ClientFeaturesResponse response) {
                if (response.getStatus() == ClientFeaturesResponse.Status.NOT_CHANGED) unchanged.incrementAndGet();
                if (response.getStatus() == ClientFeaturesResponse.Status.UNAVAILABLE) {
                    errors.add("HTTP status code: " + response.getHttpStatusCode());
                }
            }
        };
        UnleashConfig.Builder config = UnleashConfig.builder()
                .unleashAPI(args[0] + "/api/")
                .apiKey(args[1])
                .appName(args[2])
                .instanceId("prove")
                .fetchTogglesInterval(1)
                .sendMetricsInterval(1)
                .backupFile(Files.createTempDirectory("prove").resolve("backup.json").toString())
                .subscriber(subscriber);
        if (args[3].equals("streaming")) config.experimentalStreamingMode();
        Unleash unleash = new DefaultUnleash(config.build());
        Gson gson = new Gson();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonObject asked = gson.fromJson(line, JsonObject.class);
            String flag = asked.has("flag") ? asked.get("flag").getAsString() : "";
            Object answer = switch (asked.get("ask").getAsString()) {
                case "ready" -> ready.get();
                case "enabled" -> unleash.isEnabled(flag, contextIn(asked));
                case "payload" -> unleash.getVariant(flag, contextIn(asked)).getPayload().orElse(null);
                case "unchanged" -> unchanged.get();
                case "measure" -> measure(unleash, asked);
                default -> List.copyOf(errors);
            };
            System.out.println(gson.toJson(answer));
        }
        unleash.shutdown();
        System.exit(0);
    }

    private static boolean measure(Unleash unleash, JsonObject asked) {
        MetricsAPI metrics = unleash.getImpactMetrics();
        metrics.defineCounter("prove_orders", "Orders");
        metrics.incrementCounter("prove_orders", asked.get("orders").getAsLong());
        metrics.defineHistogram("prove_seconds", "Seconds", List.of(1.0, 10.0));
        metrics.observeHistogram("prove_seconds", asked.get("seconds").getAsDouble());
        return true;
    }

    private static UnleashContext contextIn(JsonObject asked) {
        JsonObject sent = asked.getAsJsonObject("context");
        UnleashContext.Builder context = UnleashContext.builder();
        if (sent.has("userId")) context.userId(sent.get("userId").getAsString());
        if (sent.has("properties")) {
            sent.getAsJsonObject("properties").entrySet()
                    .forEach(each -> context.addProperty(each.getKey(), each.getValue().getAsString()));
        }
        return context.build();
    }
}
