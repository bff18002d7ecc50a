import * as v from 'valibot';
import type { CheckpointSigner } from '../../lib/history/checkpoint.ts';
import { countTrustedProxies } from '../../lib/http/caller-address.ts';
import type { ConsoleChoice } from '../../lib/pages/console-choice.ts';
import { smtpAddressOf } from '../../lib/sign-in/send-by-smtp.ts';
import { isAwsEndpoint } from '../../lib/store/client/network.ts';
import { Problem } from '../problem.ts';
import { insecureLocalToken } from './insecure-token.ts';
import { readSecretFiles } from './secret-files.ts';
import type { Durability } from './sqlite/database.ts';
import { readSampling, type Sampling } from './traces/trace-settings.ts';
import { type LocalVariables, localVariables } from './variables.ts';
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

const everyAddress = ['0.0.0.0/0', '::/0'];

/** The variables, with the rules between them. */
const Environment = v.pipe(
  localVariables,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    const message =
      'has a well-known secret, which is accepted on loopback addresses only. Choose a random one, such as the output of "openssl rand -hex 16".';
    for (const key of listWellKnown(value)) {
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
      for (const message of listRelayProblems(value)) addIssue({ message, path: [...path] });
    }
  }),
);

function findSmtpUrl({ SMTP_URL, ...others }: Omit<LocalVariables, 'EMAIL_SENDER'>) {
  return SMTP_URL ?? smtpAddressOf(others);
}

/** Removes the insecure token from a list. It is never stored; `acceptLocalToken` decides whether it is accepted. */
function removeInsecureToken(tokens: readonly string[] = []): readonly string[] | undefined {
  const own = tokens.filter((token) => token !== insecureLocalToken);
  return own.length === 0 ? undefined : own;
}

const initialTokens = [
  'INIT_ADMIN_API_TOKENS',
  'INIT_CLIENT_API_TOKENS',
  'INIT_BACKEND_API_TOKENS',
  'INIT_FRONTEND_API_TOKENS',
] as const;

function reachOf({ HOST, PUBLIC_URL, ALLOWED_HOSTS, TRUSTED_PROXIES }: LocalVariables): Reach {
  return {
    host: HOST,
    publicUrl: PUBLIC_URL,
    allowedHosts: ALLOWED_HOSTS,
    trustedProxies: countTrustedProxies({ TRUSTED_PROXIES }),
  };
}

/** Lists the variables with well-known secrets, if other machines than this one could use them. */
function listWellKnown(values: LocalVariables): (keyof typeof localVariables.entries)[] {
  const { DYNAMODB_ENDPOINT: store } = values;
  if (!isExposed(reachOf(values)) && !(store !== undefined && isAwsEndpoint(store))) return [];
  return [
    ...initialTokens.filter((name) => values[name]?.some(isWellKnownToken)),
    ...(isWellKnownPassword(values.INIT_ADMIN_PASSWORD ?? '') ? (['INIT_ADMIN_PASSWORD'] as const) : []),
  ];
}

/** The variables that prepare a store. A relay cannot use them. */
const preparationVariables = [...initialTokens, 'SEED_FILE'] as const;

function listRelayProblems(values: LocalVariables): string[] {
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
function hasBackgroundWork({ RELAY, DYNAMODB_ENDPOINT: store }: LocalVariables): boolean {
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
    adminTokens: removeInsecureToken(output.INIT_ADMIN_API_TOKENS),
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
