import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import dev.openfeature.contrib.providers.ofrep.OfrepProvider;
import dev.openfeature.contrib.providers.ofrep.OfrepProviderOptions;
import dev.openfeature.sdk.Client;
import dev.openfeature.sdk.FlagEvaluationDetails;
import dev.openfeature.sdk.MutableContext;
import dev.openfeature.sdk.OpenFeatureAPI;
import dev.openfeature.sdk.Value;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.LinkedHashMap;
import java.util.Map;

/** The OpenFeature provider of Java: answers each line of JSON with one. */
public class OfrepProviderJava {
    public static void main(String[] args) throws Exception {
        OpenFeatureAPI.getInstance().setProviderAndWait(OfrepProvider.constructProvider(OfrepProviderOptions.builder()
                .baseUrl(args[0])
                .headers(ImmutableMap.of("Authorization", ImmutableList.of(args[1])))
                .build()));
        Client client = OpenFeatureAPI.getInstance().getClient();
        Gson gson = new GsonBuilder().serializeNulls().create();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonObject asked = gson.fromJson(line, JsonObject.class);
            MutableContext context = contextIn(asked.getAsJsonObject("context"));
            String flag = asked.get("flag").getAsString();
            FlagEvaluationDetails<?> found = switch (asked.get("ask").getAsString()) {
                case "boolean" -> client.getBooleanDetails(flag, asked.get("default").getAsBoolean(), context);
                case "string" -> client.getStringDetails(flag, asked.get("default").getAsString(), context);
                case "number" -> client.getIntegerDetails(flag, asked.get("default").getAsInt(), context);
                default -> client.getObjectDetails(flag, new Value(), context);
            };
            Object value = found.getValue() instanceof Value object ? object.asStructure().asObjectMap() : found.getValue();
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("value", value);
            answer.put("error", found.getErrorCode());
            System.out.println(gson.toJson(answer));
        }
        System.exit(0);
    }

    private static MutableContext contextIn(JsonObject sent) {
        MutableContext context = new MutableContext(sent.get("targetingKey").getAsString());
        if (sent.has("country")) context.add("country", sent.get("country").getAsString());
        return context;
    }
}
