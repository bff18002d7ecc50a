import client from 'unleash-client/lib/client.js';
import { defaultStrategies } from 'unleash-client/lib/strategy/index.js';
import type { ClientAnswer, ClientConstraint } from './client-answer.ts';

/** A context as applications give it to their SDK. */
export interface SdkContext {
  readonly [field: string]: string | undefined | Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
}

/** The SDK's decision about a flag. */
export interface SdkDecision {
  readonly enabled: boolean;
  readonly variant: string;
  readonly payload: string;
}

const ownFields = new Set(['appName', 'currentTime', 'environment', 'remoteAddress', 'sessionId', 'userId']);

/** Makes the context of values by their fields; `undefined` leaves a field out. */
export function sdkContext(values: ReadonlyMap<string, string | undefined>): SdkContext {
  const given = [...values].filter((entry): entry is [string, string] => entry[1] !== undefined);
  const isOwn = ([field]: [string, string]) => ownFields.has(field);
  return {
    ...Object.fromEntries(given.filter(isOwn)),
    properties: Object.fromEntries(given.filter((entry) => !isOwn(entry))),
  };
}

/** The engine of the official Node SDK with what a server delivers: another judge than either server. */
export class SdkEngine {
  readonly #client: InstanceType<typeof client.default>;

  constructor({ flags, segments }: ClientAnswer) {
    const repository = {
      getToggle: (name: string) => flags.get(name),
      getSegment: (id: number) => segments.get(id),
    };
    // Of a repository the engine uses these two.
    this.#client = new client.default(repository as never, defaultStrategies);
  }

  decide(flag: string, context: SdkContext): SdkDecision {
    const { feature_enabled, name, payload } = this.#client.getVariant(flag, context as never);
    return {
      enabled: feature_enabled === true,
      variant: name,
      payload: payload === undefined ? '' : `${payload.type} ${payload.value}`,
    };
  }
}

/** Tells whether a context satisfies a constraint, as the SDK sees it. */
export function isSatisfied(constraint: ClientConstraint, context: SdkContext): boolean {
  return defaultStrategies[0]?.checkConstraint(constraint as never, context as never) === true;
}

/**
 * Runs work, which must not wait, with the same luck each time: rollouts that stick to nothing draw a number, and two
 * servers are alike where the same number leads to the same decision.
 */
export function withLuck<T>(luck: number, work: () => T): T {
  const { random } = Math;
  Math.random = () => luck;
  try {
    return work();
  } finally {
    Math.random = random;
  }
}
