import * as v from 'valibot';
import { openPrivateKey } from '../../lib/history/signers/sign-by-private-key.ts';
import { isLogLevel } from '../../lib/http/log.ts';
import { isAdminSecret, isSdkSecret } from '../../lib/identity/tokens/token.ts';
import { readAllowedHosts } from '../../lib/integrations/sending/address-rules.ts';
import { consoleChoices } from '../../lib/pages/console-choice.ts';
import { isSmtpAddress } from '../../lib/sign-in/send-by-smtp.ts';
import { senderPattern } from '../../lib/sign-in/send-mail.ts';
import { isStrongSecret } from '../../lib/tokens/token-strength.ts';
import { mapReadVariables, type ReadVariable, variableReaders } from '../variable-readers.ts';
import { samplers } from './traces/trace-settings.ts';

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

/** The environment variables of the local server, without the rules between them. */
export const localVariables = v.object({
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
export type LocalVariables = v.InferOutput<typeof localVariables>;
