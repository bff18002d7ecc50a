import { randomUUID } from 'node:crypto';
import { requestWorkMax, WorkBudget } from './budget.ts';

/** The context that a feature is evaluated for. */
export interface EvaluationContext {
  readonly userId: string | undefined;
  readonly sessionId: string | undefined;
  readonly remoteAddress: string | undefined;
  /** Milliseconds since 1970; NaN if the caller sent an invalid date. */
  readonly currentTime: number;
  /** All fields by name, including properties, since a constraint may name any of them. */
  readonly values: ReadonlyMap<string, string>;
  /** A random id in place of a missing one. It is the same for all features, so that their results agree. */
  readonly randomId: string;
  /** The work that evaluations of this context may take. */
  readonly budget: WorkBudget;
  /** Cached results of conditions that many features share. */
  readonly results: Map<unknown, boolean>;
  /** Cached texts in lower case, by the original text. */
  readonly lowercase: Map<string, string>;
}

/** A context as the caller sent it. */
export interface SentContext {
  readonly texts: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
}

/** A condition on a context. It throws if it exceeds the budget of the context. */
export type ContextCondition = (context: EvaluationContext) => boolean;

/** Builds a context as an SDK does. A field takes precedence over a property of the same name. @internal */
export function buildContext(
  sent: SentContext,
  budget: WorkBudget = new WorkBudget(requestWorkMax),
): EvaluationContext {
  return createContext(sent, sent.texts.sessionId, budget);
}

/**
 * Builds a context for an evaluation by the service. A request without a session gets a random one, as on Unleash: a rollout by
 * session then reaches its share of such requests, and all flags of a request agree.
 */
export function buildContextInSession(
  sent: SentContext,
  {
    budget = new WorkBudget(requestWorkMax),
    randomSession = randomUUID(),
  }: { readonly budget?: WorkBudget; readonly randomSession?: string } = {},
): EvaluationContext {
  return createContext(sent, sent.texts.sessionId || sent.properties.sessionId || randomSession, budget);
}

function createContext(
  { texts, properties }: SentContext,
  sessionId: string | undefined,
  budget: WorkBudget,
): EvaluationContext {
  const { userId, remoteAddress, currentTime } = texts;
  const values = new Map([...Object.entries(properties), ...Object.entries(texts)]);
  if (sessionId !== undefined) values.set('sessionId', sessionId);
  return {
    userId,
    sessionId,
    remoteAddress,
    currentTime: currentTime ? Date.parse(currentTime) : Date.now(),
    values,
    randomId: String(Math.random()),
    budget,
    results: new Map(),
    lowercase: new Map(),
  };
}

/** Nanoseconds for each character at worst, since a few characters become several in lower case. */
const workOfLowercase = 40;

/** Converts a text to lower case, once for each context. */
export function toLowerCase({ lowercase, budget }: EvaluationContext, text: string): string {
  const cached = lowercase.get(text);
  if (cached !== undefined) return cached;
  budget.spend(workOfLowercase * text.length);
  const converted = text.toLowerCase();
  lowercase.set(text, converted);
  return converted;
}

/**
 * Wraps a condition that many features share, so that it is evaluated once for each context.
 * @param key equal for equal conditions.
 */
export function cachePerContext(key: unknown, holds: ContextCondition): ContextCondition {
  return (context) => {
    const cached = context.results.get(key);
    if (cached !== undefined) return cached;
    const result = holds(context);
    context.results.set(key, result);
    return result;
  };
}

/**
 * Combines conditions into one that holds if all of them hold, and always without any. It nests the functions, since iterating
 * over a list takes longer than most conditions.
 */
export function allOf(conditions: readonly ContextCondition[]): ContextCondition {
  const [first = () => true, ...others] = conditions;
  return others.reduce((combined, next) => (context) => combined(context) && next(context), first);
}
