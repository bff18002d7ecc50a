import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { isBusArn } from '../lib/integrations/sending/requests/event-bridge.ts';
import { type ConsoleChoice, consoleChoices } from '../lib/pages/console-choice.ts';
import { senderPattern } from '../lib/sign-in/send-mail.ts';
import { encryptionKeyOf, keyArn, tagsOf } from './account-settings.ts';
import { readVariables } from './variable-readers.ts';

/** The settings of an operator, given with `-c name=value` or in cdk.context.json. */
export const choiceNames = [
  'ephemeral',
  'tableName',
  'maxReadUnits',
  'maxWriteUnits',
  'architecture',
  'functions',
  'reservedConcurrency',
  'sdkConcurrency',
  'concurrencyLimit',
  'throttleRate',
  'throttleBurst',
  'corsOrigins',
  'api',
  'domainName',
  'certificateArn',
  'publicUrl',
  'alarmEmail',
  'emailSender',
  'smtpParameter',
  'permissionsBoundary',
  'tags',
  'encryptionKeyArn',
  'checkpointKeyArn',
  'checkpointLockDays',
  'metricsNamespace',
  'readableClientTokens',
  'console',
  'integrations',
  'eventBuses',
  'safeguardAlarms',
  'logRetentionDays',
  'LOG_LEVEL',
  ...readVariables,
] as const;

export type ChoiceName = (typeof choiceNames)[number];

/** The checked settings of a stack. function-environment.ts reads those that are variables of the functions. */
export interface StackSettings {
  /** True if all stored data and logs are deleted with the stack. */
  readonly ephemeral: boolean;
  /** An existing table, such as a restored one, instead of a table of the stack. */
  readonly tableName: string | undefined;
  /** The key of the account that encrypts the table; undefined for a key of AWS. */
  readonly encryptionKeyArn: string | undefined;
  /** The key that signs checkpoints of the history; undefined for none. */
  readonly checkpointKeyArn: string | undefined;
  /** The days for which a bucket locks each checkpoint; undefined for no bucket. */
  readonly checkpointLockDays: number | undefined;
  /** The tags of all resources. */
  readonly tags: Readonly<Record<string, string>>;
  /** The name of the policy that limits the roles of the stack. */
  readonly permissionsBoundary: string | undefined;
  /** The maximum of read and write units per second. */
  readonly maxReadUnits: number;
  readonly maxWriteUnits: number;
  readonly architecture: 'arm64' | 'x86_64';
  /** `many` deploys each folder as folders.ts declares; `few` puts several folders into one function. */
  readonly functions: 'many' | 'few';
  readonly logRetention: RetentionDays;
  /** The reserved concurrency of each function; undefined for the common pool of the account. */
  readonly reservedConcurrency: number | undefined;
  /**
   * The reserved concurrency of each function of SDKs. With it, they get a function URL, which has no other throttle. Without it,
   * SDKs use the API, whose routes are throttled.
   */
  readonly sdkConcurrency: number | undefined;
  /** The concurrency limit of the account in this region. */
  readonly concurrencyLimit: number;
  /** The rate limit for the requests of all callers together. */
  readonly throttle: { readonly ratePerSecond: number; readonly burst: number };
  /** The origins whose scripts may call the API; CORS is off if it is empty. */
  readonly corsOrigins: readonly string[];
  /** True if nobody can call the API, because servers in a private network serve the table. */
  readonly isApiClosed: boolean;
  readonly domain: { readonly name: string; readonly certificateArn: string } | undefined;
  /** The address that people use; undefined for that of the API. */
  readonly publicUrl: string | undefined;
  /** The mail address that gets the alarms. */
  readonly alarmEmail: string | undefined;
  /** The sender address of mails, verified in SES unless `smtpParameter` is set; undefined sends no mail. */
  readonly emailSender: string | undefined;
  /** The parameter of the Parameter Store with the address of the mail server; undefined for Amazon SES. */
  readonly smtpParameter: string | undefined;
  /** The console that is deployed with the API. */
  readonly console: ConsoleChoice;
  /** True if this stack sends events to integrations. With a global table in several regions, only one region should. */
  readonly integrations: boolean;
  /** The ARNs of the EventBridge buses that integrations may put events on. */
  readonly eventBuses: readonly string[];
  /** The prefix of the CloudWatch alarms that safeguards may watch; undefined for none. */
  readonly safeguardAlarms: string | undefined;
  /** The CloudWatch namespace of the functions' metrics. */
  readonly metricsNamespace: string;
}

/** Reads a setting from the context; undefined means its default. */
export function choiceOf(scope: Construct, name: ChoiceName): string | undefined {
  const value: unknown = scope.node.tryGetContext(name);
  return value === undefined || value === '' ? undefined : String(value);
}

/**
 * Reads the settings of a stack from the context.
 * @throws Error for a value that cannot be deployed.
 */
export function settingsOf(scope: Construct, stackName: string): StackSettings {
  assertSettingsKnown(scope, [], 'infra/README.md');
  const textOf = (name: ChoiceName) => choiceOf(scope, name);
  const numberOf = (name: ChoiceName): number | undefined => {
    const text = textOf(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1)
      throw new Error(`${name} must be a whole number above 0, not "${text}".`);
    return value;
  };

  const domain = domainOf(textOf('domainName'), textOf('certificateArn'));
  return {
    ephemeral: requireOneOf('ephemeral', ['false', 'true'], textOf('ephemeral') ?? 'false') === 'true',
    tableName: requireTableName(textOf('tableName')),
    encryptionKeyArn: encryptionKeyOf(textOf('encryptionKeyArn')),
    checkpointKeyArn: requireMatch('checkpointKeyArn', keyArn, textOf('checkpointKeyArn'), 'the ARN of a key'),
    checkpointLockDays: lockDaysOf(numberOf('checkpointLockDays'), textOf('checkpointKeyArn')),
    tags: tagsOf(textOf('tags')),
    permissionsBoundary: requireMatch(
      'permissionsBoundary',
      /^[\w+=,.@-]{1,128}$/,
      textOf('permissionsBoundary'),
      'the name of a managed policy',
    ),
    // Ten times the consumption of 500 calls a second with nine reads per write, and that of ten imports of 100 features.
    maxReadUnits: numberOf('maxReadUnits') ?? 10_000,
    maxWriteUnits: numberOf('maxWriteUnits') ?? 10_000,
    // arm64 costs a fifth less. x86_64 is for `sam local` on hosts that would have to emulate arm64.
    architecture: requireOneOf('architecture', ['arm64', 'x86_64'], textOf('architecture') ?? 'arm64'),
    functions: requireOneOf('functions', ['many', 'few'], textOf('functions') ?? 'many'),
    logRetention: retentionOf(numberOf('logRetentionDays') ?? RetentionDays.THREE_MONTHS),
    reservedConcurrency: numberOf('reservedConcurrency'),
    // No default: a new account has a concurrency of ten, and AWS does not let it reserve any.
    sdkConcurrency: numberOf('sdkConcurrency') ?? numberOf('reservedConcurrency'),
    // The usual limit of an account. New accounts have less until they ask for more.
    concurrencyLimit: numberOf('concurrencyLimit') ?? 1000,
    // Half of what the counter of event ids can do in a second, and half of the usual concurrency of an account.
    throttle: { ratePerSecond: numberOf('throttleRate') ?? 500, burst: numberOf('throttleBurst') ?? 500 },
    corsOrigins: (textOf('corsOrigins') ?? '').split(',').filter(Boolean).map(originOf),
    domain,
    isApiClosed: isApiClosedBy(textOf),
    publicUrl: publicUrlOf(textOf('publicUrl')) ?? (domain && `https://${domain.name}`),
    console: consoleOf(textOf('console') ?? 'flagstaff'),
    integrations: requireOneOf('integrations', ['on', 'off'], textOf('integrations') ?? 'on') === 'on',
    eventBuses: (textOf('eventBuses') ?? '').split(',').filter(Boolean).map(busOf),
    safeguardAlarms: requireMatch(
      'safeguardAlarms',
      /^[\x20-\x7e]{1,100}$/,
      textOf('safeguardAlarms'),
      'the beginning of the names of alarms',
    ),
    alarmEmail: requireMatch('alarmEmail', /^\S+@\S+$/, textOf('alarmEmail'), 'an e-mail address'),
    emailSender: requireMatch('emailSender', senderPattern, textOf('emailSender'), 'an e-mail address'),
    smtpParameter: smtpParameterOf(textOf('smtpParameter'), textOf('emailSender')),
    // The name of the stack is unique in the account, so the metrics of two stacks stay apart.
    metricsNamespace:
      requireMatch(
        'metricsNamespace',
        /^(?!AWS\/)[\w.#/-]{1,255}$/,
        textOf('metricsNamespace'),
        'a namespace of CloudWatch that does not begin with "AWS/"',
      ) ?? stackName,
  };
}

/** The names of our own settings. Those that the CDK keeps in the context have a colon, a slash or a dash in them. */
const ownSetting = /^\w+$/;

/**
 * Lets the settings of the service pass in every app, since all apps read the same cdk.context.json.
 * @throws Error for an unknown setting; a typo would silently use the default.
 */
export function assertSettingsKnown(scope: Construct, further: readonly string[], page: string): void {
  const known: readonly string[] = ['stackName', ...choiceNames, ...further];
  const unknown = Object.keys(scope.node.getAllContext()).filter(
    (name) => ownSetting.test(name) && !known.includes(name),
  );
  if (unknown.length === 0) return;
  throw new Error(`Unknown setting ${unknown.map((name) => `"${name}"`).join(', ')}; ${page} lists all settings.`);
}

/** The values of the setting until release 0.3: `true` for Unleash's admin UI, or `false`. */
const earlierConsoles: Readonly<Record<string, ConsoleChoice>> = { true: 'unleash', false: 'off' };

/** @throws Error if there is no such console. */
function consoleOf(text: string): ConsoleChoice {
  return earlierConsoles[text] ?? requireOneOf('console', consoleChoices, text);
}

/**
 * Returns the name of the stack and its id in the app, from `-c stackName=…`. With another name, an account can have two stacks.
 * @throws Error if CloudFormation refuses the name, or EventBridge a rule whose name begins with it.
 */
export function stackNameOf(scope: Construct): string {
  const name: unknown = scope.node.tryGetContext('stackName');
  return (
    requireMatch(
      'stackName',
      /^[A-Za-z][A-Za-z0-9-]{0,53}$/,
      name === undefined ? undefined : String(name),
      'a letter, followed by at most 53 letters, digits and hyphens',
    ) ?? 'Flagstaff'
  );
}

/** @throws Error unless DynamoDB accepts the name of a table. */
export function requireTableName(name: string | undefined): string | undefined {
  return requireMatch('tableName', /^[\w.-]{3,255}$/, name, 'the name of a table, not its ARN');
}

/** @throws Error for a text that does not match; `kind` completes the sentence "NAME must be". */
export function requireMatch(
  name: string,
  pattern: RegExp,
  text: string | undefined,
  kind: string,
): string | undefined {
  if (text !== undefined && !pattern.test(text)) throw new Error(`${name} must be ${kind}, not "${text}".`);
  return text;
}

/** @throws Error unless the text is one of the choices. */
export function requireOneOf<Choice extends string>(name: string, choices: readonly Choice[], text: string): Choice {
  const choice = choices.find((allowed) => allowed === text);
  if (choice === undefined) throw new Error(`${name} must be ${choices.join(' or ')}, not "${text}".`);
  return choice;
}

/** CloudWatch Logs supports only certain numbers of days. */
function retentionOf(days: number): RetentionDays {
  const choices = Object.values(RetentionDays).filter((value) => typeof value === 'number');
  // INFINITE is no number of days.
  const retention = choices.filter((value) => value !== RetentionDays.INFINITE).find((value) => value === days);
  if (retention === undefined) {
    throw new Error(`logRetentionDays must be one of ${choices.join(', ')}, not "${days}".`);
  }
  return retention;
}

/** Returns an origin. There is no wildcard for all sites: that would let in more sites than anyone intends. */
function originOf(text: string): string {
  const url = URL.parse(text.trim());
  const isLocal = url?.protocol === 'http:' && url.hostname === 'localhost';
  if (url === null || url.origin !== text.trim() || !(url.protocol === 'https:' || isLocal)) {
    throw new Error(
      `corsOrigins must be origins such as https://flags.example.com, separated by commas, not "${text}".`,
    );
  }
  return url.origin;
}

/** @throws Error unless the text is the ARN of an event bus. */
function busOf(text: string): string {
  if (isBusArn(text.trim())) return text.trim();
  throw new Error(`eventBuses must be ARNs of event buses, separated by commas, not "${text}".`);
}

/** @throws Error unless the text is an https address without a path. */
function publicUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || `${url.origin}/` !== url.href) {
    throw new Error(`publicUrl must be an address such as https://flags.example.com, not "${text}".`);
  }
  return url.origin;
}

/** The longest time for which S3 locks an object. */
const lockDaysMax = 36_500;

/** @throws Error for more days than S3 takes, or if there are no checkpoints. */
function lockDaysOf(days: number | undefined, checkpointKey: string | undefined): number | undefined {
  if (days === undefined) return undefined;
  if (days > lockDaysMax) throw new Error(`checkpointLockDays must be at most ${lockDaysMax}, not "${days}".`);
  if (checkpointKey === undefined) throw new Error('checkpointLockDays needs checkpointKeyArn as well.');
  return days;
}

/** @throws Error for a name that the Parameter Store refuses, or if there is no sender. */
function smtpParameterOf(name: string | undefined, emailSender: string | undefined): string | undefined {
  requireMatch(
    'smtpParameter',
    /^(\/(?!(aws|ssm)(\/|$))[\w.-]+)(\/[\w.-]+)*$/i,
    name,
    'the name of a parameter, such as /flagstaff/smtp',
  );
  if (name !== undefined && emailSender === undefined) throw new Error('smtpParameter needs emailSender as well.');
  return name;
}

/**
 * @throws Error if the API is closed, and another setting opens an address, or links have none. Reserved concurrency gives the functions
 * of SDKs their own addresses.
 */
function isApiClosedBy(textOf: (name: ChoiceName) => string | undefined): boolean {
  const isClosed = requireOneOf('api', ['open', 'closed'], textOf('api') ?? 'open') === 'closed';
  const opening = (['domainName', 'sdkConcurrency', 'reservedConcurrency'] as const).find(
    (name) => textOf(name) !== undefined,
  );
  if (isClosed && opening !== undefined) throw new Error(`api=closed and ${opening} exclude each other.`);
  if (isClosed && textOf('publicUrl') === undefined)
    throw new Error('api=closed needs publicUrl, the address of the servers in the private network.');
  return isClosed;
}

function domainOf(name: string | undefined, certificateArn: string | undefined): StackSettings['domain'] {
  if (name === undefined && certificateArn === undefined) return undefined;
  if (name === undefined || certificateArn === undefined) {
    throw new Error('A custom domain needs both domainName and certificateArn.');
  }
  if (!certificateArn.startsWith('arn:')) throw new Error(`certificateArn must be an ARN, not "${certificateArn}".`);
  return { name, certificateArn };
}
