/** The fields of a context that have a meaning of their own; all others are properties. */
const fields = ['appName', 'currentTime', 'environment', 'remoteAddress', 'sessionId', 'userId'] as const;
type Field = (typeof fields)[number];

/** The context that a feature is evaluated for. */
export type EvaluationContext = { readonly [Name in Field]?: string } & {
  readonly properties: Readonly<Record<string, string>>;
};

/** A context as it was sent: texts by their names, and those that were sent as properties. */
export interface SentContext {
  readonly texts: Readonly<Record<string, string>>;
  readonly properties: Readonly<Record<string, string>>;
}

const isField = (name: string): name is Field => (fields as readonly string[]).includes(name);

/**
 * A context as the engine reads it. What stands beside the properties comes before them. Nothing is inherited, so that a
 * constraint on `constructor` finds what was sent and not what every object has.
 */
export function evaluationContext({ texts, properties: sent }: SentContext): EvaluationContext {
  const context: { [Name in Field]?: string } = Object.create(null);
  const properties: Record<string, string> = Object.assign(Object.create(null), sent);
  for (const [name, text] of Object.entries(texts)) {
    if (isField(name)) context[name] = text;
    else properties[name] = text;
  }
  // The engine takes the text of what a constraint names, which may be the properties themselves.
  Object.defineProperty(properties, Symbol.toPrimitive, { value: () => '' });
  return Object.assign(context, { properties });
}
