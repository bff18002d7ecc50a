import * as v from 'valibot';
import { countTrustedProxies } from '../../lib/http/caller-address.ts';
import { isLogLevel } from '../../lib/http/log.ts';
import { isAdminSecret, isSdkSecret } from '../../lib/identity/tokens/token.ts';
import { readAllowedHosts } from '../../lib/integrations/sending/address-rules.ts';
import { senderPattern } from '../../lib/sign-in/send-mail.ts';
import { isCloud } from '../../lib/store/client/network.ts';
import { isStrongSecret } from '../../lib/tokens/token-strength.ts';
import { Problem } from '../problem.ts';
import { mapReadVariables, type ReadVariable, variableReaders } from '../variable-readers.ts';
import { insecureLocalToken } from './insecure-token.ts';
import type { Durability } from './sqlite/database.ts';
import { isExposed, isWellKnownPassword, isWellKnownToken, type Reach } from './well-known.ts';

/** The settings of the local runtime, with everything that was left out filled in. */
export interface LocalSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly tableName: string;
  /** The folder that the embedded store keeps its data in; undefined keeps them in memory only. */
  readonly dataDirectory: string | undefined;
  /** The worst that an answered change survives in that folder. */
  readonly durability: Durability;
  /** A DynamoDB-compatible store to be used in place of the embedded one. */
  readonly storeEndpoint: string | undefined;
  /** Admin tokens to be added where they are missing; undefined when nothing was said about them. */
  readonly adminTokens: readonly string[] | undefined;
  /** The password of the first administrator, while they have none; undefined for a random one. */
  readonly adminPassword: string | undefined;
  /** Tokens of SDKs, likewise. */
  readonly clientTokens: readonly string[];
  /** Unleash's newer name for client tokens, by which these are shown. */
  readonly backendTokens: readonly string[];
  readonly frontendTokens: readonly string[];
  readonly seedFile: string | undefined;
  /** True if it serves SDKs only, from a store that another service prepares and writes. */
  readonly isRelay: boolean;
  readonly logLevel: string;
  /** `text` for people, `json` as in Lambda. */
  readonly logFormat: 'text' | 'json';
  /** The address that people and applications use, without a slash at its end; undefined when nothing was said. */
  readonly publicUrl: string | undefined;
  /** Further host names to serve, apart from those of this machine. */
  readonly allowedHosts: readonly string[];
  /** The number of proxies in front of this server. */
  readonly trustedProxies: number;
  /** True if scheduled change requests are applied at their time, and mails about any sent. */
  readonly keepsTime: boolean;
  /** True if events are sent to the integrations of the store. */
  readonly sendsEvents: boolean;
  /** Hosts in private networks that integrations may send to. */
  readonly integrationHosts: readonly string[];
}

const port = v.pipe(
  v.string(),
  v.check(
    (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
    ({ input }) => `must be a whole number from 0 to 65535, not "${input}".`,
  ),
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

/** The values are secrets, so that a problem with them is described without them. */
const tokenList = (isRight: (token: string) => boolean, form: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((token) => token.trim())),
    v.everyItem(isRight, form),
  );

const secretTokenList = (isRight: (token: string) => boolean, form: string, strongForm: string) =>
  v.pipe(
    tokenList(isRight, form),
    v.everyItem((token) => !isRight(token) || isStrongSecret(token.slice(token.indexOf('.') + 1)), strongForm),
  );

const adminTokens = secretTokenList(
  isAdminSecret,
  'must be admin tokens, each "*:*." followed by a secret without spaces, with commas between them.',
  'must be admin tokens whose secrets have at least 128 random bits: put "*:*." before what "openssl rand -hex 16" prints.',
);

const sdkForm =
  'must be tokens of SDKs, each a project or "*", ":", an environment, "." and a secret without spaces, with commas between them.';

const clientTokens = secretTokenList(
  isSdkSecret,
  sdkForm,
  'must be client tokens whose secrets have at least 128 random bits: put a project, ":", an environment and "." before what "openssl rand -hex 16" prints.',
);

/** They are public, so there is nothing to guess. */
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
    'must be host names without ports, with commas between them, such as flagstaff.example.',
  ),
);

const everyAddress = ['0.0.0.0/0', '::/0'];

/** A variable that the functions read themselves; asking here lets a bad one show at the start. */
const readLater = (variable: ReadVariable) =>
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
  readLater('INTEGRATION_ALLOWED_HOSTS'),
  v.transform((text) => readAllowedHosts({ INTEGRATION_ALLOWED_HOSTS: text })),
);

/** The functions read it themselves; a mail that cannot be sent is only warned of. */
const sender = v.pipe(
  v.string(),
  v.regex(senderPattern, ({ input }) => `must be an e-mail address, such as flags@example.com, not "${input}".`),
);

const yesOrNo = v.picklist(['true', 'false'], ({ input }) => `must be true or false, not "${input}".`);

const variables = v.object({
  ...mapReadVariables((variable) => v.optional(readLater(variable))),
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
  INTEGRATIONS: v.optional(v.picklist(['on', 'off'], ({ input }) => `must be on or off, not ${input}.`)),
  INTEGRATION_ALLOWED_HOSTS: v.optional(integrationHosts, ''),
  UNLEASH_ALLOW_LIST_INTEGRATION: v.optional(integrationHosts, ''),
  UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION: v.optional(v.string(), 'false'),
});

const Environment = v.pipe(
  variables,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    const message =
      'has a secret that everybody can look up, which is accepted on loopback addresses only: choose a random one, such as "openssl rand -hex 16" prints.';
    for (const key of wellKnownIn(value)) {
      addIssue({ message, path: [{ type: 'object', origin: 'value', input: value, key, value: value[key] }] });
    }
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && dataset.value.RELAY === 'true') {
      const { value } = dataset;
      const path = [{ type: 'object', origin: 'value', input: value, key: 'RELAY', value: value.RELAY }] as const;
      for (const message of relayProblems(value)) addIssue({ message, path: [...path] });
    }
  }),
);

/** The insecure one is nobody's own: it is accepted where it is, and never stored. */
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

/** The settings whose secrets everybody knows, where others than programs on this machine could use them. */
function wellKnownIn(given: v.InferOutput<typeof variables>): (keyof typeof variables.entries)[] {
  const { DYNAMODB_ENDPOINT: store } = given;
  if (!isExposed(reachOf(given)) && !(store !== undefined && isCloud(store))) return [];
  return [
    ...initialTokens.filter((name) => given[name]?.some(isWellKnownToken)),
    ...(isWellKnownPassword(given.INIT_ADMIN_PASSWORD ?? '') ? (['INIT_ADMIN_PASSWORD'] as const) : []),
  ];
}

/** The variables that prepare a store, which a relay never does. */
const preparing = [...initialTokens, 'SEED_FILE'] as const;

function relayProblems(given: v.InferOutput<typeof variables>): string[] {
  return [
    ...(given.DYNAMODB_ENDPOINT === undefined
      ? ['needs DYNAMODB_ENDPOINT, the address of the store that it reads.']
      : []),
    ...preparing
      .filter((name) => given[name] !== undefined)
      .map((name) => `writes nothing into the store, so that ${name} cannot be set as well.`),
    ...(given.INTEGRATIONS === 'on' ? ['writes nothing into the store, so that INTEGRATIONS cannot be on.'] : []),
  ];
}

/** A deployed service does itself what nobody asks for, such as to send the events of its table, and a relay changes nothing. */
function actsByItself({ RELAY, DYNAMODB_ENDPOINT: store }: v.InferOutput<typeof variables>): boolean {
  return RELAY === 'false' && (store === undefined || !isCloud(store));
}

/**
 * Reads the settings from environment variables; an empty one counts as left out.
 * @throws Problem with a line for every variable that cannot be used.
 */
export function readSettings(environment: NodeJS.ProcessEnv): LocalSettings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, text]) => text !== ''));
  const { success, output, issues } = v.safeParse(Environment, given);
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
    keepsTime: actsByItself(output),
    sendsEvents: output.INTEGRATIONS === undefined ? actsByItself(output) : output.INTEGRATIONS === 'on',
    integrationHosts: [
      ...output.INTEGRATION_ALLOWED_HOSTS,
      ...output.UNLEASH_ALLOW_LIST_INTEGRATION,
      ...(/^(true|1|t)$/.test(output.UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION) ? everyAddress : []),
    ],
  };
}
