import * as v from 'valibot';
import type { CheckpointSigner } from '../../lib/history/checkpoint.ts';
import { openPrivateKey } from '../../lib/history/signers/sign-by-private-key.ts';
import { countTrustedProxies } from '../../lib/http/caller-address.ts';
import { isLogLevel } from '../../lib/http/log.ts';
import { isAdminSecret, isSdkSecret } from '../../lib/identity/tokens/token.ts';
import { readAllowedHosts } from '../../lib/integrations/sending/address-rules.ts';
import { type ConsoleChoice, consoleChoices } from '../../lib/pages/console-choice.ts';
import { isSmtpAddress, smtpAddressOf } from '../../lib/sign-in/send-by-smtp.ts';
import { senderPattern } from '../../lib/sign-in/send-mail.ts';
import { isAwsEndpoint } from '../../lib/store/client/network.ts';
import { isStrongSecret } from '../../lib/tokens/token-strength.ts';
import { Problem } from '../problem.ts';
import { mapReadVariables, type ReadVariable, variableReaders } from '../variable-readers.ts';
import { insecureLocalToken } from './insecure-token.ts';
import { readSecretFiles } from './secret-files.ts';
import type { Durability } from './sqlite/database.ts';
import { readSampling, type Sampling, samplers } from './traces/trace-settings.ts';
import { isExposed, isWellKnownPassword, isWellKnownToken, type Reach } from './well-known.ts';

/** The settings of the local server, including defaults. */
export interface LocalSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly tableName: string;
  /** The folder of the embedded store; undefined for a store in memory. */
  readonly dataDirectory: string | undefined;
  /** The kind of failure that an answered change survives. */
  readonly durability: Durability;
  /** The address of another DynamoDB-compatible store, instead of the embedded one. */
  readonly storeEndpoint: string | undefined;
  /** Admin tokens to add if they are missing; undefined if none were configured. */
  readonly adminTokens: readonly string[] | undefined;
  /** The password of the first administrator, who has none yet; undefined for a random one. */
  readonly adminPassword: string | undefined;
  /** SDK tokens to add if they are missing. */
  readonly clientTokens: readonly string[];
  /** Client tokens that are shown under Unleash's newer name, backend tokens. */
  readonly backendTokens: readonly string[];
  readonly frontendTokens: readonly string[];
  readonly seedFile: string | undefined;
  /** True if the server serves SDKs only, from a store that another service prepares and writes. */
  readonly isRelay: boolean;
  readonly logLevel: string;
  /** `text` is for people; `json` is the format of Lambda. */
  readonly logFormat: 'text' | 'json';
  /** The address that people and applications use, without a slash at its end; undefined if it was not configured. */
  readonly publicUrl: string | undefined;
  /** Host names that are served in addition to those of this machine. */
  readonly allowedHosts: readonly string[];
  /** The number of proxies in front of this server. */
  readonly trustedProxies: number;
  /** The address of the SMTP server that sends mails, which may contain a password; undefined for Amazon SES. */
  readonly smtpUrl: string | undefined;
  /** The key that signs checkpoints of the history; undefined for none. */
  readonly checkpointSigner: CheckpointSigner | undefined;
  /** True if this server does the work of the clock, such as applying scheduled change requests. */
  readonly runsClock: boolean;
  /** True if this server sends events to the integrations of the store. */
  readonly sendsEvents: boolean;
  /** The console that is served. A relay serves none. */
  readonly console: ConsoleChoice;
  /** Hosts in private networks that integrations may send to. */
  readonly integrationHosts: readonly string[];
  /** The maximum number of streams of changes. */
  readonly streamsLimit: number;
  /** The choice of the traces that are sent to a collector; undefined if none are sent. */
  readonly sampling: Sampling | undefined;
}

const port = v.pipe(
  v.string(),
  v.check(
    (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
    ({ input }) => `must be a whole number from 0 to 65535, not "${input}".`,
  ),
  v.transform(Number),
);

const streams = v.pipe(
  v.string(),
  v.regex(/^(?:0|[1-9]\d{0,5})$/, ({ input }) => `must be a whole number from 0 to 999999, not "${input}".`),
  v.transform(Number),
);

const endpoint = v.pipe(
  v.string(),
  v.check(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    ({ input }) => `must be the address of a store, such as http://localhost:8000, not "${input}".`,
  ),
);

const tableName = v.pipe(
  v.string(),
  v.regex(/^[\w.-]{3,255}$/, ({ input }) => `must be 3 to 255 letters, digits, "_", "." or "-", not "${input}".`),
);

/** The values are secrets, so errors do not quote them. */
const tokenList = (isValid: (token: string) => boolean, form: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((token) => token.trim())),
    v.everyItem(isValid, form),
  );

const secretTokenList = (isValid: (token: string) => boolean, form: string, strongForm: string) =>
  v.pipe(
    tokenList(isValid, form),
    v.everyItem((token) => !isValid(token) || isStrongSecret(token.slice(token.indexOf('.') + 1)), strongForm),
  );

const adminTokens = secretTokenList(
  isAdminSecret,
  'must be admin tokens, each "*:*." followed by a secret without spaces, separated by commas.',
  'must be admin tokens whose secrets have at least 128 random bits: "*:*." followed by the output of "openssl rand -hex 16".',
);

const sdkForm =
  'must be SDK tokens, separated by commas: each a project or "*", ":", an environment, "." and a secret without spaces.';

const clientTokens = secretTokenList(
  isSdkSecret,
  sdkForm,
  'must be client tokens whose secrets have at least 128 random bits: a project, ":", an environment and ".", followed by the output of "openssl rand -hex 16".',
);

/** Frontend tokens are public, so their secrets need not be strong. */
const frontendTokens = tokenList(isSdkSecret, sdkForm);

const publicUrl = v.pipe(
  v.string(),
  v.check(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? '') && /^[^:]+:\/\/[^/?#@]+\/?$/.test(text),
    ({ input }) =>
      `must be the address of this service without a path, such as https://flags.example.com, not "${input}".`,
  ),
  v.transform((text) => new URL(text).origin),
);

const allowedHosts = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((host) => host.trim().toLowerCase())),
  v.transform((hosts) => hosts.filter((host) => host !== '')),
  v.everyItem(
    (host) => /^[\w.-]+$/.test(host),
    'must be host names without ports, separated by commas, such as flagstaff.example.',
  ),
);

const everyAddress = ['0.0.0.0/0', '::/0'];

/** Checks a variable that the functions read later, so that an invalid value shows at the start. */
const checkedVariable = (variable: ReadVariable) =>
  v.pipe(
    v.string(),
    v.rawCheck(({ dataset, addIssue }) => {
      try {
        variableReaders[variable]({ [variable]: String(dataset.value) });
      } catch (error) {
        addIssue({ message: (error as Error).message.replace(`${variable} `, '') });
      }
    }),
  );

const integrationHosts = v.pipe(
  checkedVariable('INTEGRATION_ALLOWED_HOSTS'),
  v.transform((text) => readAllowedHosts({ INTEGRATION_ALLOWED_HOSTS: text })),
);

/** Checks the sender here, since the functions that read it only warn of mails that cannot be sent. */
const sender = v.pipe(
  v.string(),
  v.regex(senderPattern, ({ input }) => `must be an e-mail address, such as flags@example.com, not "${input}".`),
);

/** The address may contain a password, so errors do not quote it. */
const smtpUrl = v.pipe(
  v.string(),
  v.check(
    isSmtpAddress,
    'must be the address of a mail server, such as smtp://user:password@mail.example.com:587, or smtps:// for one that begins with TLS.',
  ),
);

/** The key is a secret, so errors do not quote it. */
const checkpointKey = v.pipe(
  v.string(),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    try {
      return openPrivateKey(value);
    } catch {
      addIssue({ message: 'must be a private key, such as "npm run verify -- --new-key FILE" makes.' });
      return NEVER;
    }
  }),
);

const collector = v.pipe(
  v.string(),
  v.check(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must be the address of a collector of OpenTelemetry, such as http://localhost:4318.',
  ),
);

/** Collectors take both other protocols at one address, but gRPC at another. */
const traceProtocol = v.pipe(
  v.string(),
  v.check((text) => text !== 'grpc', 'cannot be grpc: traces are sent by HTTP, to the port 4318 of most collectors.'),
);

const share = v.pipe(
  v.string(),
  v.check(
    (text) => Number(text) >= 0 && Number(text) <= 1,
    ({ input }) => `must be a number from 0 to 1, not "${input}".`,
  ),
  v.transform(Number),
);

const yesOrNo = v.picklist(['true', 'false'], ({ input }) => `must be true or false, not "${input}".`);

const variables = v.object({
  ...mapReadVariables((variable) => v.optional(checkedVariable(variable))),
  HOST: v.optional(v.string(), '127.0.0.1'),
  PORT: v.optional(port, '4242'),
  TABLE_NAME: v.optional(tableName, 'flagstaff'),
  DATA_DIR: v.optional(v.string(), '.data'),
  STORE_DURABILITY: v.optional(
    v.picklist(['sync', 'normal'], ({ input }) => `must be sync or normal, not ${input}.`),
    'sync',
  ),
  DYNAMODB_ENDPOINT: v.optional(endpoint),
  INIT_ADMIN_API_TOKENS: v.optional(adminTokens),
  INIT_ADMIN_PASSWORD: v.optional(v.string()),
  INIT_CLIENT_API_TOKENS: v.optional(clientTokens),
  INIT_BACKEND_API_TOKENS: v.optional(clientTokens),
  INIT_FRONTEND_API_TOKENS: v.optional(frontendTokens),
  READABLE_CLIENT_TOKENS: v.optional(yesOrNo),
  SEED_FILE: v.optional(v.string()),
  RELAY: v.optional(yesOrNo, 'false'),
  EMAIL_SENDER: v.optional(sender),
  SMTP_URL: v.optional(smtpUrl),
  EMAIL_HOST: v.optional(v.pipe(v.string(), v.regex(/^[\w.-]+$/, 'must be the name or the address of a mail server.'))),
  EMAIL_PORT: v.optional(v.pipe(port, v.transform(String))),
  EMAIL_SECURE: v.optional(v.string()),
  EMAIL_USER: v.optional(v.string()),
  EMAIL_PASSWORD: v.optional(v.string()),
  CHECKPOINT_KEY: v.optional(checkpointKey),
  LOG_LEVEL: v.optional(
    v.pipe(
      v.string(),
      v.check(isLogLevel, ({ input }) => `must be DEBUG, INFO, WARN, ERROR or SILENT, not "${input}".`),
    ),
    'INFO',
  ),
  LOG_FORMAT: v.optional(
    v.picklist(['text', 'json'], ({ input }) => `must be text or json, not ${input}.`),
    'text',
  ),
  PUBLIC_URL: v.optional(publicUrl),
  ALLOWED_HOSTS: v.optional(allowedHosts, ''),
  CONSOLE: v.optional(
    v.picklist(consoleChoices, ({ input }) => `must be flagstaff, unleash or off, not ${input}.`),
    'flagstaff',
  ),
  STREAMS_LIMIT: v.optional(streams, '10000'),
  INTEGRATIONS: v.optional(v.picklist(['on', 'off'], ({ input }) => `must be on or off, not ${input}.`)),
  INTEGRATION_ALLOWED_HOSTS: v.optional(integrationHosts, ''),
  UNLEASH_ALLOW_LIST_INTEGRATION: v.optional(integrationHosts, ''),
  UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION: v.optional(v.string(), 'false'),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(collector),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: v.optional(collector),
  OTEL_EXPORTER_OTLP_PROTOCOL: v.optional(traceProtocol),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: v.optional(traceProtocol),
  OTEL_SDK_DISABLED: v.optional(v.string()),
  OTEL_TRACES_EXPORTER: v.optional(v.string()),
  OTEL_TRACES_SAMPLER: v.optional(v.picklist(samplers, ({ input }) => `must be ${samplers.join(', ')}, not ${input}.`)),
  OTEL_TRACES_SAMPLER_ARG: v.optional(share),
});

const Environment = v.pipe(
  variables,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    const message =
      'has a well-known secret, which is accepted on loopback addresses only. Choose a random one, such as the output of "openssl rand -hex 16".';
    for (const key of wellKnownIn(value)) {
      addIssue({ message, path: [{ type: 'object', origin: 'value', input: value, key, value: value[key] }] });
    }
  }),
  v.forward(
    v.check(
      ({ EMAIL_SENDER, ...values }) => EMAIL_SENDER !== undefined || findSmtpUrl(values) === undefined,
      'must be the address from which the mail server sends mails.',
    ),
    ['EMAIL_SENDER'],
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && dataset.value.RELAY === 'true') {
      const { value } = dataset;
      const path = [{ type: 'object', origin: 'value', input: value, key: 'RELAY', value: value.RELAY }] as const;
      for (const message of relayProblems(value)) addIssue({ message, path: [...path] });
    }
  }),
);

function findSmtpUrl({ SMTP_URL, ...others }: Omit<v.InferOutput<typeof variables>, 'EMAIL_SENDER'>) {
  return SMTP_URL ?? smtpAddressOf(others);
}

/** Removes the insecure token from a list. It is never stored; `acceptLocalToken` decides whether it is accepted. */
function ownTokens(tokens: readonly string[] = []): readonly string[] | undefined {
  const own = tokens.filter((token) => token !== insecureLocalToken);
  return own.length === 0 ? undefined : own;
}

const initialTokens = [
  'INIT_ADMIN_API_TOKENS',
  'INIT_CLIENT_API_TOKENS',
  'INIT_BACKEND_API_TOKENS',
  'INIT_FRONTEND_API_TOKENS',
] as const;

function reachOf({ HOST, PUBLIC_URL, ALLOWED_HOSTS, TRUSTED_PROXIES }: v.InferOutput<typeof variables>): Reach {
  return {
    host: HOST,
    publicUrl: PUBLIC_URL,
    allowedHosts: ALLOWED_HOSTS,
    trustedProxies: countTrustedProxies({ TRUSTED_PROXIES }),
  };
}

/** Returns the settings with well-known secrets, if not only programs on this machine could use them. */
function wellKnownIn(values: v.InferOutput<typeof variables>): (keyof typeof variables.entries)[] {
  const { DYNAMODB_ENDPOINT: store } = values;
  if (!isExposed(reachOf(values)) && !(store !== undefined && isAwsEndpoint(store))) return [];
  return [
    ...initialTokens.filter((name) => values[name]?.some(isWellKnownToken)),
    ...(isWellKnownPassword(values.INIT_ADMIN_PASSWORD ?? '') ? (['INIT_ADMIN_PASSWORD'] as const) : []),
  ];
}

/** The variables that prepare a store. A relay cannot use them. */
const preparationVariables = [...initialTokens, 'SEED_FILE'] as const;

function relayProblems(values: v.InferOutput<typeof variables>): string[] {
  return [
    ...(values.DYNAMODB_ENDPOINT === undefined
      ? ['needs DYNAMODB_ENDPOINT, the address of the store that the relay reads.']
      : []),
    ...preparationVariables
      .filter((name) => values[name] !== undefined)
      .map((name) => `prepares no store, so ${name} cannot be set as well.`),
    ...(values.INTEGRATIONS === 'on' ? ['sends no events, so INTEGRATIONS cannot be on.'] : []),
  ];
}

/** Returns true if this server does background work, such as sending events. For a table at AWS, the deployed service does it. */
function hasBackgroundWork({ RELAY, DYNAMODB_ENDPOINT: store }: v.InferOutput<typeof variables>): boolean {
  return RELAY === 'false' && (store === undefined || !isAwsEndpoint(store));
}

/**
 * Reads the settings from environment variables, and secrets also from files. An empty variable counts as not set.
 * @throws Problem with a line for each invalid variable or file.
 */
export function readSettings(environment: NodeJS.ProcessEnv): LocalSettings {
  const values = Object.fromEntries(Object.entries(readSecretFiles(environment)).filter(([, text]) => text !== ''));
  const { success, output, issues } = v.safeParse(Environment, values);
  if (!success) throw new Problem(...issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`));
  return {
    ...reachOf(output),
    port: output.PORT,
    tableName: output.TABLE_NAME,
    dataDirectory: output.DATA_DIR === ':memory:' ? undefined : output.DATA_DIR,
    durability: output.STORE_DURABILITY,
    storeEndpoint: output.DYNAMODB_ENDPOINT,
    adminTokens: ownTokens(output.INIT_ADMIN_API_TOKENS),
    adminPassword: output.INIT_ADMIN_PASSWORD,
    clientTokens: output.INIT_CLIENT_API_TOKENS ?? [],
    backendTokens: output.INIT_BACKEND_API_TOKENS ?? [],
    frontendTokens: output.INIT_FRONTEND_API_TOKENS ?? [],
    seedFile: output.SEED_FILE,
    isRelay: output.RELAY === 'true',
    logLevel: output.LOG_LEVEL.toUpperCase(),
    logFormat: output.LOG_FORMAT,
    smtpUrl: findSmtpUrl(output),
    checkpointSigner: output.CHECKPOINT_KEY,
    runsClock: hasBackgroundWork(output),
    sendsEvents: output.INTEGRATIONS === undefined ? hasBackgroundWork(output) : output.INTEGRATIONS === 'on',
    streamsLimit: output.STREAMS_LIMIT,
    console: output.RELAY === 'true' ? 'off' : output.CONSOLE,
    integrationHosts: [
      ...output.INTEGRATION_ALLOWED_HOSTS,
      ...output.UNLEASH_ALLOW_LIST_INTEGRATION,
      ...(/^(true|1|t)$/.test(output.UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION) ? everyAddress : []),
    ],
    sampling: readSampling(output),
  };
}
