import { randomUUID } from 'node:crypto';
import { requestWorkMax, WorkBudget } from './budget.ts';

/** The context that a feature is evaluated for. */
export interface EvaluationContext {
  readonly userId: string | undefined;
  readonly sessionId: string | undefined;
  readonly remoteAddress: string | undefined;
  /** Milliseconds since 1970; not a number where something else than a date was sent. */
  readonly currentTime: number;
  /** All texts by their names, those of the properties as well: a constraint may name any of them. */
  readonly values: ReadonlyMap<string, string>;
  /** Id that stands for one that was not sent, the same for all features, so that their results agree. */
  readonly randomId: string;
  /** The work that may be spent on it. */
  readonly budget: WorkBudget;
  /** The results of conditions that many features share, by what they are about. */
  readonly known: Map<unknown, boolean>;
  /** Texts in lowercase, by what was sent. */
  readonly lowercase: Map<string, string>;
}

/** A context as it was sent: texts by their names, and those that were sent as properties. */
export interface SentContext {
  readonly texts: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
}

/** Condition on a context. It throws where the work of the context does not suffice to know. */
export type ContextCondition = (context: EvaluationContext) => boolean;

/** A context as an SDK evaluates it. What stands beside the properties counts more than a property of that name. */
export function evaluationContext(
  sent: SentContext,
  budget: WorkBudget = new WorkBudget(requestWorkMax),
): EvaluationContext {
  return contextWith(sent, sent.texts.sessionId, budget);
}

/**
 * A context as the service evaluates it: a request without a session has a random one, as on Unleash, so that a rollout by
 * session reaches its share of such requests, and all flags of a request have the same place in it.
 */
export function contextInSession(
  sent: SentContext,
  {
    budget = new WorkBudget(requestWorkMax),
    randomSession = randomUUID(),
  }: { readonly budget?: WorkBudget; readonly randomSession?: string } = {},
): EvaluationContext {
  return contextWith(sent, sent.texts.sessionId || sent.properties.sessionId || randomSession, budget);
}

function contextWith(
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
    known: new Map(),
    lowercase: new Map(),
  };
}

/** Nanoseconds that a character takes at worst: some have other letters in lowercase, and more of them. */
const workOfLowercase = 40;

/** Returns a text in lowercase, which is made once for a context. */
export function lowercaseIn({ lowercase, budget }: EvaluationContext, text: string): string {
  const known = lowercase.get(text);
  if (known !== undefined) return known;
  budget.spend(workOfLowercase * text.length);
  const made = text.toLowerCase();
  lowercase.set(text, made);
  return made;
}

/**
 * Returns a condition that is looked at once for a context, by whomever.
 * @param about is equal for equal conditions.
 */
export function onceForContext(about: unknown, holds: ContextCondition): ContextCondition {
  return (context) => {
    const known = context.known.get(about);
    if (known !== undefined) return known;
    const found = holds(context);
    context.known.set(about, found);
    return found;
  };
}

/**
 * Returns the condition that some conditions are together; without any, it always holds. Each is put around the one before
 * it, since going through a list takes longer than most conditions.
 */
export function allHold(conditions: readonly ContextCondition[]): ContextCondition {
  const [first = () => true, ...others] = conditions;
  return others.reduce((held, holds) => (context) => held(context) && holds(context), first);
}
