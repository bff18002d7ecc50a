/** An SDK, and the lines by which an application asks it for a flag. */
interface SdkCode {
  readonly name: string;
  /** Names that applications report, without the version. */
  readonly reported: readonly string[];
  /** The command by which the library is installed, its line in a build file, or its name; missing if there is no library. */
  readonly install?: string;
  /** Returns the lines for a flag. @param url the address of this service. @param fields those that its strategies ask about. */
  readonly write: (flag: string, url: string, fields: readonly string[]) => string;
}

/** Fields of a context that SDKs fill in themselves. */
const filledIn: ReadonlySet<string> = new Set(['appName', 'environment', 'currentTime']);

/** Fields that every SDK has a place for; the others are properties. */
const ownFields = ['userId', 'sessionId', 'remoteAddress'];

/** Splits fields into those that SDKs have a place for, and properties. @param isPage true if the service sees the address. */
function split(fields: readonly string[], isPage = false): { readonly own: string[]; readonly others: string[] } {
  const sent = fields.filter((field) => !filledIn.has(field) && !(isPage && field === 'remoteAddress'));
  return {
    own: sent.filter((field) => ownFields.includes(field)),
    others: sent.filter((field) => !ownFields.includes(field)),
  };
}

/** Returns the name of a variable with the value of a field: `planOfUser` for `plan-of-user`. */
function variable(field: string): string {
  const words = field.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const name = words.map((word, index) => (index === 0 ? lower(word) : upper(word))).join('');
  return /^[A-Za-z]/.test(name) ? name : `value${name}`;
}

const lower = (word: string) => `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
const upper = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
const snake = (field: string) => variable(field).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Writes a text in quotes; names hold neither quotes of this kind nor backslashes. */
const quote = (text: string) => `"${text}"`;

/** Writes the context of SDKs for JavaScript, such as `{ userId, properties: { plan } }`. */
function writeScript(fields: readonly string[], isPage: boolean): string {
  const { own, others } = split(fields, isPage);
  const entry = (field: string) => {
    if (field === variable(field)) return field;
    return `${/^[A-Za-z]\w*$/.test(field) ? field : quote(field)}: ${variable(field)}`;
  };
  const properties = others.length === 0 ? [] : [`properties: { ${others.map(entry).join(', ')} }`];
  return `{ ${[...own, ...properties].join(', ')} }`;
}

/** Writes entries, each by a function, with the properties as one entry more. */
function writeEntries(
  fields: readonly string[],
  writeOwn: (field: string) => string,
  writeProperty: (field: string) => string,
  writeProperties: (properties: string) => string,
  isPage = false,
): string {
  const { own, others } = split(fields, isPage);
  const properties = others.length === 0 ? [] : [writeProperties(others.map(writeProperty).join(', '))];
  return [...own.map(writeOwn), ...properties].join(', ');
}

const phpNames: Readonly<Record<string, string>> = {
  ...{ userId: 'currentUserId', sessionId: 'sessionId', remoteAddress: 'ipAddress' },
};

/** The SDKs, those for servers first. @internal */
export const sdkCodes: readonly SdkCode[] = [
  {
    name: 'Node',
    install: 'npm install unleash-client',
    reported: ['unleash-client-node', 'unleash-node-sdk', '@unleash/nextjs'],
    write: (flag, url, fields) =>
      lines(
        "const unleash = require('unleash-client').initialize({",
        `  url: '${url}/api', appName: 'my-app', customHeaders: { Authorization: process.env.API_TOKEN } });`,
        `unleash.isEnabled('${flag}', ${writeScript(fields, false)});`,
      ),
  },
  {
    name: 'Java',
    install: 'implementation("io.getunleash:unleash-client-java:+")',
    reported: ['unleash-client-java', 'unleash-java-sdk'],
    write: (flag, url, fields) =>
      lines(
        `UnleashConfig config = UnleashConfig.builder().appName("my-app").unleashAPI("${url}/api")`,
        '    .apiKey(System.getenv("API_TOKEN")).build();',
        `new DefaultUnleash(config).isEnabled("${flag}", UnleashContext.builder()${writeJava(fields)}.build());`,
      ),
  },
  {
    name: 'Go',
    install: 'go get github.com/Unleash/unleash-go-sdk/v5',
    reported: ['unleash-client-go', 'unleash-go-sdk'],
    write: (flag, url, fields) =>
      lines(
        `unleash.Initialize(unleash.WithUrl("${url}/api"), unleash.WithAppName("my-app"),`,
        '    unleash.WithCustomHeaders(http.Header{"Authorization": {os.Getenv("API_TOKEN")}}))',
        `unleash.IsEnabled("${flag}", unleash.WithContext(context.Context{${writeGo(fields)}}))`,
      ),
  },
  {
    name: 'Python',
    install: 'pip install UnleashClient',
    reported: ['unleash-client-python', 'unleash-python-sdk'],
    write: (flag, url, fields) =>
      lines(
        `client = UnleashClient("${url}/api", "my-app", custom_headers={"Authorization": os.environ["API_TOKEN"]})`,
        'client.initialize_client()',
        `client.is_enabled("${flag}", {${writePython(fields)}})`,
      ),
  },
  {
    name: '.NET',
    install: 'dotnet add package Unleash.Client',
    reported: ['unleash-client-dotnet', 'unleash-dotnet-sdk'],
    write: (flag, url, fields) =>
      lines(
        `var unleash = new DefaultUnleash(new UnleashSettings { AppName = "my-app", UnleashApi = new Uri("${url}/api"),`,
        '    CustomHttpHeaders = new() { ["Authorization"] = Environment.GetEnvironmentVariable("API_TOKEN") } });',
        `unleash.IsEnabled("${flag}", new UnleashContext { ${writeDotnet(fields)} });`,
      ),
  },
  {
    name: 'Ruby',
    install: 'bundle add unleash',
    reported: ['unleash-client-ruby', 'unleash-ruby-sdk'],
    write: (flag, url, fields) =>
      lines(
        `unleash = Unleash::Client.new(url: '${url}/api', app_name: 'my-app',`,
        "  custom_http_headers: { Authorization: ENV['API_TOKEN'] })",
        `unleash.is_enabled?('${flag}', Unleash::Context.new(${writeRuby(fields)}))`,
      ),
  },
  {
    name: 'PHP',
    install: 'composer require unleash/client',
    reported: ['unleash-client-php', 'unleash-php-sdk'],
    write: (flag, url, fields) =>
      lines(
        `$unleash = UnleashBuilder::create()->withAppName('my-app')->withAppUrl('${url}/api')`,
        "    ->withInstanceId('1')->withHeader('Authorization', getenv('API_TOKEN'))->build();",
        `$unleash->isEnabled('${flag}', new UnleashContext(${writePhp(fields)}));`,
      ),
  },
  {
    name: 'JavaScript in pages',
    install: 'npm install unleash-proxy-client',
    reported: ['unleash-client-js', 'unleash-js-sdk', 'unleash-proxy-client'],
    write: (flag, url, fields) =>
      lines(
        `const unleash = new UnleashClient({ url: '${url}/api/frontend', clientKey: 'FRONTEND_TOKEN', appName: 'my-app' });`,
        `unleash.updateContext(${writeScript(fields, true)}); await unleash.start();`,
        `unleash.isEnabled('${flag}');`,
      ),
  },
  {
    name: 'React',
    install: 'npm install @unleash/proxy-client-react unleash-proxy-client',
    reported: ['unleash-react-sdk', 'proxy-client-react', '@unleash/proxy-client-react'],
    write: (flag, url, fields) =>
      lines(
        `const config = { url: '${url}/api/frontend', clientKey: 'FRONTEND_TOKEN', appName: 'my-app', context: ${writeScript(fields, true)} };`,
        'createRoot(root).render(<FlagProvider config={config}><App /></FlagProvider>);',
        `const isOn = useFlag('${flag}');`,
      ),
  },
  {
    name: 'Swift',
    install: 'the Swift package github.com/Unleash/unleash-ios-sdk',
    reported: ['unleash-ios-sdk', 'unleash-client-swift'],
    write: (flag, url, fields) =>
      lines(
        `let unleash = UnleashClient(unleashUrl: "${url}/api/frontend", clientKey: "FRONTEND_TOKEN", appName: "my-app")`,
        `unleash.updateContext(${writeSwift(fields)}); unleash.start()`,
        `unleash.isEnabled(name: "${flag}")`,
      ),
  },
  {
    name: 'curl',
    reported: [],
    write: (flag, url, fields) =>
      lines(
        `curl -X POST '${url}/ofrep/v1/evaluate/flags/${flag}' \\`,
        "  -H 'Authorization: FRONTEND_TOKEN' -H 'Content-Type: application/json' \\",
        `  -d '{"context": {${writeOpenFeature(fields)}}}'`,
      ),
  },
];

function writeJava(fields: readonly string[]): string {
  const { own, others } = split(fields);
  const properties = others.map((field) => `.addProperty(${quote(field)}, ${variable(field)})`);
  return [...own.map((field) => `.${field}(${field})`), ...properties].join('');
}

const writeGo = (fields: readonly string[]) =>
  writeEntries(
    fields,
    (field) => `${upper(field)}: ${field}`,
    (field) => `${quote(field)}: ${variable(field)}`,
    (properties) => `Properties: map[string]string{${properties}}`,
  );

const writePython = (fields: readonly string[]) => {
  const entry = (field: string) => `${quote(field)}: ${snake(field)}`;
  return writeEntries(fields, entry, entry, (properties) => `"properties": {${properties}}`);
};

const writeDotnet = (fields: readonly string[]) =>
  writeEntries(
    fields,
    (field) => `${upper(field)} = ${field}`,
    (field) => `[${quote(field)}] = ${variable(field)}`,
    (properties) => `Properties = new() { ${properties} }`,
  );

const writeRuby = (fields: readonly string[]) =>
  writeEntries(
    fields,
    (field) => `${snake(field)}: ${snake(field)}`,
    (field) => `${quote(field)} => ${snake(field)}`,
    (properties) => `properties: { ${properties} }`,
  );

const writePhp = (fields: readonly string[]) =>
  writeEntries(
    fields,
    (field) => `${phpNames[field]}: $${field}`,
    (field) => `${quote(field)} => $${variable(field)}`,
    (properties) => `customContext: [${properties}]`,
  );

function writeSwift(fields: readonly string[]): string {
  const { own, others } = split(fields, true);
  const list = (names: readonly string[]) => names.map((field) => `${quote(field)}: ${variable(field)}`).join(', ');
  return `context: [${list(own)}]${others.length > 0 ? `, properties: [${list(others)}]` : ''}`;
}

function writeOpenFeature(fields: readonly string[]): string {
  const { own, others } = split(fields, true);
  return [...own, ...others]
    .map((field) => (field === 'userId' ? '"targetingKey": "user-1"' : `${quote(field)}: "…"`))
    .join(', ');
}

function lines(...all: readonly string[]): string {
  return all.join('\n');
}

/** Sorts the SDKs: those that applications have reported come first. @param reported such as `unleash-client-node:6.12.1`. */
export function sortSdks(reported: readonly string[]): readonly SdkCode[] {
  const names = reported.map((text) => text.split(':', 1)[0]?.toLowerCase() ?? '');
  const isUsed = (sdk: SdkCode) => sdk.reported.some((name) => names.includes(name));
  return sdkCodes.toSorted((a, b) => Number(isUsed(b)) - Number(isUsed(a)));
}
