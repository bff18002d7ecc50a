import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { isBusArn } from '../lib/integrations/sending/requests/event-bridge.ts';
import { senderPattern } from '../lib/sign-in/send-mail.ts';
import { readVariables } from './variable-readers.ts';

/** The choices of an operator, by `-c name=value` or in cdk.context.json. */
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
  'domainName',
  'certificateArn',
  'publicUrl',
  'alarmEmail',
  'emailSender',
  'metricsNamespace',
  'readableClientTokens',
  'console',
  'integrations',
  'eventBuses',
  'logRetentionDays',
  'LOG_LEVEL',
  ...readVariables,
] as const;

export type ChoiceName = (typeof choiceNames)[number];

/** The settings that follow from the choices; those about the functions' variables are in function-environment.ts. */
export interface StackSettings {
  /** True if all that is stored and logged is deleted with the stack. */
  readonly ephemeral: boolean;
  /** A table that exists already, such as a restored one, in place of one of the stack's own. */
  readonly tableName: string | undefined;
  /** The most read and write units that the table gives in a second. */
  readonly maxReadUnits: number;
  readonly maxWriteUnits: number;
  readonly architecture: 'arm64' | 'x86_64';
  /** The deployment of folders: each as it declares, or its endpoints together with others. */
  readonly functions: 'many' | 'few';
  readonly logRetention: RetentionDays;
  /** The most executions that each function may have at once; undefined leaves them to the account's common pool. */
  readonly reservedConcurrency: number | undefined;
  /**
   * The most executions that each function of SDKs may have at once, which makes an address of its own affordable: nothing
   * else throttles that. Undefined leaves SDKs to the API, whose routes are throttled.
   */
  readonly sdkConcurrency: number | undefined;
  /** The most executions that the account may have at once, in all its functions of the region. */
  readonly concurrencyLimit: number;
  /** The limit of the requests of all callers together. */
  readonly throttle: { readonly ratePerSecond: number; readonly burst: number };
  /** The sites whose scripts may call the API; none leaves CORS off. */
  readonly corsOrigins: readonly string[];
  readonly domain: { readonly name: string; readonly certificateArn: string } | undefined;
  /** The address that people use; undefined for the API's own. */
  readonly publicUrl: string | undefined;
  /** The address that alarms are sent to. */
  readonly alarmEmail: string | undefined;
  /** The address that mails come from, which SES must have verified; none sends no mail. */
  readonly emailSender: string | undefined;
  /** True if the console is deployed with the API. */
  readonly console: boolean;
  /** True if events are sent to the integrations; of several regions with one global table, only one should. */
  readonly integrations: boolean;
  /** The ARNs of the buses of EventBridge that integrations may put events on. */
  readonly eventBuses: readonly string[];
  /** Under which CloudWatch lists the metrics of the functions. */
  readonly metricsNamespace: string;
}

/** Reads a choice from the context; undefined when it is left to its default. */
export function choiceOf(scope: Construct, name: ChoiceName): string | undefined {
  const value: unknown = scope.node.tryGetContext(name);
  return value === undefined || value === '' ? undefined : String(value);
}

/**
 * Reads the settings of a stack from the context.
 * @throws Error when a value is not one that can be deployed, so that it fails before it is.
 */
export function settingsOf(scope: Construct, stackName: string): StackSettings {
  assertChoicesKnown(scope);
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
    ephemeral: oneOf('ephemeral', ['false', 'true'], textOf('ephemeral') ?? 'false') === 'true',
    tableName: matching('tableName', /^[\w.-]{3,255}$/, textOf('tableName')),
    // Ten times what 500 calls a second take with nine reads for each write, and what ten imports of 100 features do.
    maxReadUnits: numberOf('maxReadUnits') ?? 10_000,
    maxWriteUnits: numberOf('maxWriteUnits') ?? 10_000,
    // arm64 costs a fifth less; x86_64 is for `sam local` on hosts that would have to emulate it.
    architecture: oneOf('architecture', ['arm64', 'x86_64'], textOf('architecture') ?? 'arm64'),
    functions: oneOf('functions', ['many', 'few'], textOf('functions') ?? 'many'),
    logRetention: retentionOf(numberOf('logRetentionDays') ?? RetentionDays.THREE_MONTHS),
    reservedConcurrency: numberOf('reservedConcurrency'),
    // No default: an account that is new has ten executions, of which AWS lets nobody reserve any.
    sdkConcurrency: numberOf('sdkConcurrency') ?? numberOf('reservedConcurrency'),
    // What an account has from the start; new ones have less until they ask for it.
    concurrencyLimit: numberOf('concurrencyLimit') ?? 1000,
    // Half of what the counter of event ids takes in a second, and of what an account may have in flight.
    throttle: { ratePerSecond: numberOf('throttleRate') ?? 500, burst: numberOf('throttleBurst') ?? 500 },
    corsOrigins: (textOf('corsOrigins') ?? '').split(',').filter(Boolean).map(originOf),
    domain,
    publicUrl: publicUrlOf(textOf('publicUrl')) ?? (domain && `https://${domain.name}`),
    console: isConsoleChosen(scope),
    integrations: oneOf('integrations', ['on', 'off'], textOf('integrations') ?? 'on') === 'on',
    eventBuses: (textOf('eventBuses') ?? '').split(',').filter(Boolean).map(busOf),
    alarmEmail: matching('alarmEmail', /^\S+@\S+$/, textOf('alarmEmail'), 'an e-mail address'),
    emailSender: matching('emailSender', senderPattern, textOf('emailSender'), 'an e-mail address'),
    // Two stacks of an account differ in their names, so that their metrics do, too.
    metricsNamespace:
      matching('metricsNamespace', /^(?!AWS\/)[\w.#/-]{1,255}$/, textOf('metricsNamespace')) ?? stackName,
  };
}

/** The names of our own choices. Those that the CDK keeps in the context have a colon, a slash or a dash in them. */
const ownChoice = /^\w+$/;

/** @throws Error for a choice that there is none of: mistyped, it would be left to its default without a word. */
function assertChoicesKnown(scope: Construct): void {
  const known: readonly string[] = ['stackName', ...choiceNames];
  const unknown = Object.keys(scope.node.getAllContext()).filter(
    (name) => ownChoice.test(name) && !known.includes(name),
  );
  if (unknown.length === 0) return;
  throw new Error(`There is no choice ${unknown.map((name) => `"${name}"`).join(', ')}; infra/README.md lists them.`);
}

/** @throws Error when it is neither chosen nor refused. */
function isConsoleChosen(scope: Construct): boolean {
  return oneOf('console', ['false', 'true'], choiceOf(scope, 'console') ?? 'false') === 'true';
}

/**
 * The name of the stack, and its id in the app: that of `-c stackName=…`, so that a second one fits into an account.
 * @throws Error when CloudFormation takes no such name, or EventBridge none for a rule that begins with it.
 */
export function stackNameOf(scope: Construct): string {
  const name: unknown = scope.node.tryGetContext('stackName');
  return (
    matching('stackName', /^[A-Za-z][A-Za-z0-9-]{0,53}$/, name === undefined ? undefined : String(name)) ?? 'Flagstaff'
  );
}

function matching(name: string, pattern: RegExp, text: string | undefined, kind?: string): string | undefined {
  if (text !== undefined && !pattern.test(text)) {
    throw new Error(`${name} must ${kind === undefined ? `match ${pattern}` : `be ${kind}`}, not "${text}".`);
  }
  return text;
}

function oneOf<Choice extends string>(name: string, choices: readonly Choice[], text: string): Choice {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new Error(`${name} is ${choices.join(' or ')}, not "${text}".`);
  return found;
}

/** CloudWatch Logs keeps lines for certain numbers of days only. */
function retentionOf(days: number): RetentionDays {
  const choices = Object.values(RetentionDays).filter((each) => typeof each === 'number');
  // The last stands for "for ever", and is not a number of days that CloudWatch would know.
  const found = choices.filter((each) => each !== RetentionDays.INFINITE).find((each) => each === days);
  if (found === undefined) throw new Error(`logRetentionDays must be one of ${choices.join(', ')}, not "${days}".`);
  return found;
}

/** A site may be named in full only: all sites together would be more than anyone means to let in. */
function originOf(text: string): string {
  const url = URL.parse(text.trim());
  const isLocal = url?.protocol === 'http:' && url.hostname === 'localhost';
  if (url === null || url.origin !== text.trim() || !(url.protocol === 'https:' || isLocal)) {
    throw new Error(`corsOrigins must be like https://flags.example.com, with commas between them, not "${text}".`);
  }
  return url.origin;
}

/** @throws Error for what is no ARN of a bus. */
function busOf(text: string): string {
  if (isBusArn(text.trim())) return text.trim();
  throw new Error(`eventBuses must be ARNs of event buses, with commas between them, not "${text}".`);
}

/** @throws Error for what is no address with TLS, or has a path. */
function publicUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || `${url.origin}/` !== url.href) {
    throw new Error(`publicUrl must be like https://flags.example.com, not "${text}".`);
  }
  return url.origin;
}

function domainOf(name: string | undefined, certificateArn: string | undefined): StackSettings['domain'] {
  if (name === undefined && certificateArn === undefined) return undefined;
  if (name === undefined || certificateArn === undefined) {
    throw new Error('A custom domain needs both domainName and certificateArn.');
  }
  if (!certificateArn.startsWith('arn:')) throw new Error(`certificateArn must be an ARN, not "${certificateArn}".`);
  return { name, certificateArn };
}
