/** The fields of a context that have a meaning of their own; all others are properties. */
const fields = ['appName', 'currentTime', 'environment', 'remoteAddress', 'sessionId', 'userId'] as const;
type Field = (typeof fields)[number];

/** What a feature is evaluated for. */
export type EvaluationContext = { readonly [Name in Field]?: string } & {
  readonly properties: Readonly<Record<string, string>>;
};

const isField = (name: string): name is Field => (fields as readonly string[]).includes(name);

/**
 * A context of texts by their names. It inherits nothing, so that a constraint on `constructor` finds what was sent and
 * not what every object has.
 */
export function evaluationContext(texts: Iterable<readonly [name: string, text: string]>): EvaluationContext {
  const context: { [Name in Field]?: string } = Object.create(null);
  const properties: Record<string, string> = Object.create(null);
  for (const [name, text] of texts) {
    if (isField(name)) context[name] = text;
    else properties[name] = text;
  }
  return Object.assign(context, { properties });
}
