import { buildContextInSession } from '../evaluation/context.ts';

/** A context that somebody types in, or that is made up: its fields with a value. */
export type TypedContext = Readonly<Record<string, string>>;

/** Fields of a context that are no properties. */
const ownFields: ReadonlySet<string> = new Set([
  'userId',
  'sessionId',
  'remoteAddress',
  'currentTime',
  'appName',
  'environment',
]);

/** Builds the context that the service would evaluate. Fields without a text are left out. */
export function buildTypedContext(typed: TypedContext): ReturnType<typeof buildContextInSession> {
  const filled = Object.entries(typed).filter(([, value]) => value !== '');
  return buildContextInSession({
    texts: Object.fromEntries(filled.filter(([name]) => ownFields.has(name))),
    properties: Object.fromEntries(filled.filter(([name]) => !ownFields.has(name))),
  });
}
