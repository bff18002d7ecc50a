/** The context that a feature is evaluated for. */
export interface EvaluationContext {
  readonly userId: string | undefined;
  readonly sessionId: string | undefined;
  readonly remoteAddress: string | undefined;
  /** Milliseconds since 1970; not a number where something else than a date was sent. */
  readonly currentTime: number;
  /** All texts by their names, those of the properties as well: a constraint may name any of them. */
  readonly values: ReadonlyMap<string, string>;
}

/** A context as it was sent: texts by their names, and those that were sent as properties. */
export interface SentContext {
  readonly texts: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
}

/** Condition on a context. */
export type ContextCondition = (context: EvaluationContext) => boolean;

/** A context as it is evaluated. What stands beside the properties counts more than a property of that name. */
export function evaluationContext({ texts, properties }: SentContext): EvaluationContext {
  const { userId, sessionId, remoteAddress, currentTime } = texts;
  return {
    userId,
    sessionId,
    remoteAddress,
    currentTime: currentTime ? Date.parse(currentTime) : Date.now(),
    values: new Map([...Object.entries(properties), ...Object.entries(texts)]),
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
