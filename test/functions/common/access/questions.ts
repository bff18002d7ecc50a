import { type Operation, targetOf } from '../operations.ts';
import { type AccessRequest, requestsOf } from './requests.ts';

/** What a request asks for. */
export type Question = Pick<AccessRequest, 'target'> & { readonly body: unknown };

/** A name and an id that nothing bears. */
const missing = 'missing';
const missingId = '9';

/** Names that a request for the project `default` may hold in its body. */
const names = ['default', 'landing', 'development', 'flexibleRollout', 'team', 'userId', 'fresh'];

/**
 * The request of an operation in the project `default`, or its only one, and the same request for what does not exist:
 * in one place of its path or of its body at a time, and in all of them.
 */
export function questionsOf(operation: Operation): { existing: Question; unknown: Question[] } {
  const existing = requestsOf(operation).at(-1) as Question;
  const { target, body } = existing;
  const targets = unknownTargets(operation.declaration.path);
  const bodies = unknownBodies(JSON.stringify(body ?? {}));
  const unknown = [
    ...targets.map((each) => ({ target: each, body })),
    ...bodies.map((each) => ({ target, body: each })),
    { target: targets.at(-1) ?? target, body: bodies.at(-1) ?? body },
  ];
  return { existing, unknown };
}

function unknownTargets(path: string): string[] {
  const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const known = { projectId: 'default', featureName: 'landing' };
  const nothing = (name: string) => [name, name === 'id' ? missingId : missing];
  return [...variables.map((name) => [name]), variables].map((replaced) =>
    targetOf(path, { ...known, ...Object.fromEntries(replaced.map(nothing)) }),
  );
}

function unknownBodies(text: string): string[] {
  const without = (body: string, name: string) => body.replaceAll(`:"${name}"`, `:"${missing}"`);
  const each = names.map((name) => without(text, name));
  return [...each, names.reduce(without, text)].filter((body) => body !== text);
}

/** The request of an operation in the project `shop` for another feature than its own; undefined where it names none. */
export function questionFor(operation: Operation, feature: string): Question | undefined {
  const { target = '', body } = requestsOf(operation)[0] ?? {};
  const text = JSON.stringify(body);
  if (!`${target} ${text}`.includes('checkout')) return undefined;
  return { target: target.replace('checkout', feature), body: text?.replaceAll('checkout', feature) };
}
