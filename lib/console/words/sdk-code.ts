/** An SDK, and the lines by which an application asks it for a flag. */
interface SdkCode {
  readonly name: string;
  /** Names that applications report, without the version. */
  readonly reported: readonly string[];
  /** Returns the lines for a flag. @param url the address of this service. */
  readonly write: (flag: string, url: string) => string;
}

/** The SDKs, those for servers first. @internal */
export const sdkCodes: readonly SdkCode[] = [
  {
    name: 'Node',
    reported: ['unleash-client-node', 'unleash-node-sdk', '@unleash/nextjs'],
    write: (flag, url) =>
      lines(
        "const unleash = require('unleash-client').initialize({",
        `  url: '${url}/api', appName: 'my-app', customHeaders: { Authorization: process.env.API_TOKEN } });`,
        `unleash.isEnabled('${flag}', { userId });`,
      ),
  },
  {
    name: 'Java',
    reported: ['unleash-client-java', 'unleash-java-sdk'],
    write: (flag, url) =>
      lines(
        `UnleashConfig config = UnleashConfig.builder().appName("my-app").unleashAPI("${url}/api")`,
        '    .apiKey(System.getenv("API_TOKEN")).build();',
        `new DefaultUnleash(config).isEnabled("${flag}", UnleashContext.builder().userId(userId).build());`,
      ),
  },
  {
    name: 'Go',
    reported: ['unleash-client-go', 'unleash-go-sdk'],
    write: (flag, url) =>
      lines(
        `unleash.Initialize(unleash.WithUrl("${url}/api"), unleash.WithAppName("my-app"),`,
        '    unleash.WithCustomHeaders(http.Header{"Authorization": {os.Getenv("API_TOKEN")}}))',
        `unleash.IsEnabled("${flag}", unleash.WithContext(context.Context{UserId: userId}))`,
      ),
  },
  {
    name: 'Python',
    reported: ['unleash-client-python', 'unleash-python-sdk'],
    write: (flag, url) =>
      lines(
        `client = UnleashClient("${url}/api", "my-app", custom_headers={"Authorization": os.environ["API_TOKEN"]})`,
        'client.initialize_client()',
        `client.is_enabled("${flag}", {"userId": user_id})`,
      ),
  },
  {
    name: '.NET',
    reported: ['unleash-client-dotnet', 'unleash-dotnet-sdk'],
    write: (flag, url) =>
      lines(
        `var unleash = new DefaultUnleash(new UnleashSettings { AppName = "my-app", UnleashApi = new Uri("${url}/api"),`,
        '    CustomHttpHeaders = new() { ["Authorization"] = Environment.GetEnvironmentVariable("API_TOKEN") } });',
        `unleash.IsEnabled("${flag}", new UnleashContext { UserId = userId });`,
      ),
  },
  {
    name: 'Ruby',
    reported: ['unleash-client-ruby', 'unleash-ruby-sdk'],
    write: (flag, url) =>
      lines(
        `unleash = Unleash::Client.new(url: '${url}/api', app_name: 'my-app',`,
        "  custom_http_headers: { Authorization: ENV['API_TOKEN'] })",
        `unleash.is_enabled?('${flag}', Unleash::Context.new(user_id: user_id))`,
      ),
  },
  {
    name: 'PHP',
    reported: ['unleash-client-php', 'unleash-php-sdk'],
    write: (flag, url) =>
      lines(
        `$unleash = UnleashBuilder::create()->withAppName('my-app')->withAppUrl('${url}/api')`,
        "    ->withInstanceId('1')->withHeader('Authorization', getenv('API_TOKEN'))->build();",
        `$unleash->isEnabled('${flag}', new UnleashContext(currentUserId: $userId));`,
      ),
  },
  {
    name: 'JavaScript in pages',
    reported: ['unleash-client-js', 'unleash-js-sdk', 'unleash-proxy-client'],
    write: (flag, url) =>
      lines(
        `const unleash = new UnleashClient({ url: '${url}/api/frontend', clientKey: 'FRONTEND_TOKEN', appName: 'my-app' });`,
        'await unleash.start();',
        `unleash.isEnabled('${flag}');`,
      ),
  },
  {
    name: 'React',
    reported: ['unleash-react-sdk', 'proxy-client-react', '@unleash/proxy-client-react'],
    write: (flag, url) =>
      lines(
        `const config = { url: '${url}/api/frontend', clientKey: 'FRONTEND_TOKEN', appName: 'my-app' };`,
        'createRoot(root).render(<FlagProvider config={config}><App /></FlagProvider>);',
        `const isOn = useFlag('${flag}');`,
      ),
  },
  {
    name: 'Swift',
    reported: ['unleash-ios-sdk', 'unleash-client-swift'],
    write: (flag, url) =>
      lines(
        `let unleash = UnleashClient(unleashUrl: "${url}/api/frontend", clientKey: "FRONTEND_TOKEN", appName: "my-app")`,
        'unleash.start()',
        `unleash.isEnabled(name: "${flag}")`,
      ),
  },
  {
    name: 'curl',
    reported: [],
    write: (flag, url) =>
      lines(
        `curl -X POST '${url}/ofrep/v1/evaluate/flags/${flag}' \\`,
        "  -H 'Authorization: FRONTEND_TOKEN' -H 'Content-Type: application/json' \\",
        `  -d '{"context": {"targetingKey": "user-1"}}'`,
      ),
  },
];

function lines(...all: readonly string[]): string {
  return all.join('\n');
}

/** Sorts the SDKs: those that applications have reported come first. @param reported such as `unleash-client-node:6.12.1`. */
export function sortSdks(reported: readonly string[]): readonly SdkCode[] {
  const names = reported.map((text) => text.split(':', 1)[0]?.toLowerCase() ?? '');
  const isUsed = (sdk: SdkCode) => sdk.reported.some((name) => names.includes(name));
  return sdkCodes.toSorted((a, b) => Number(isUsed(b)) - Number(isUsed(a)));
}
