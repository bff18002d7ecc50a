import client from 'unleash-client/lib/client.js';
import { defaultStrategies } from 'unleash-client/lib/strategy/index.js';
import type { ClientAnswer, ClientConstraint } from './client-answer.ts';

/** The context of an evaluation. */
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

/** Builds a context from the values of its fields. `undefined` omits a field. */
export function buildSdkContext(values: ReadonlyMap<string, string | undefined>): SdkContext {
  const present = [...values].filter((entry): entry is [string, string] => entry[1] !== undefined);
  const isOwn = ([field]: [string, string]) => ownFields.has(field);
  return {
    ...Object.fromEntries(present.filter(isOwn)),
    properties: Object.fromEntries(present.filter((entry) => !isOwn(entry))),
  };
}

/** The engine of the official Node SDK, with the flags of a server. It is independent of both servers. */
export class SdkEngine {
  readonly #client: InstanceType<typeof client.default>;

  constructor({ flags, segments }: ClientAnswer) {
    const repository = {
      getToggle: (name: string) => flags.get(name),
      getSegment: (id: number) => segments.get(id),
    };
    // The engine only uses these two methods of a repository.
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

/** Returns true if a context satisfies a constraint, according to the SDK. */
export function isSatisfied(constraint: ClientConstraint, context: SdkContext): boolean {
  return defaultStrategies[0]?.checkConstraint(constraint as never, context as never) === true;
}

/**
 * Runs synchronous work with a fixed result of `Math.random`. Rollouts with random stickiness draw a number, and two servers are
 * equal if the same number leads to the same decision.
 */
export function withRandom<T>(value: number, work: () => T): T {
  const { random } = Math;
  Math.random = () => value;
  try {
    return work();
  } finally {
    Math.random = random;
  }
}
