import type { Difference } from './difference.ts';

/** Why a reply of ours is meant to be another than Unleash's. */
export interface Known {
  readonly step?: RegExp;
  readonly path?: RegExp;
  readonly kind?: Difference['kind'];
  readonly reason: string;
}

export const known: readonly Known[] = [
  {
    kind: 'added',
    reason:
      'A feature is answered whole by every operation, and other things with all that they have. Clients ignore what they do not know; the tests name each property that the document of Unleash does not allow.',
  },
  { path: /(^|\.)description$/, kind: 'value', reason: 'What is built in is described in words of our own.' },
  { path: /imageUrl$/, kind: 'value', reason: 'Nobody is looked up at Gravatar.' },
  { path: /createdBy\.name$/, kind: 'value', reason: 'An admin token acts under its own name.' },
  { step: /^switch it/, path: /^$/, kind: 'type', reason: 'Clients that parse the reply find an empty object.' },
  {
    path: /environments\.\[\]\.(yes|no)$/,
    kind: 'missing',
    reason: 'How often a flag was asked for is answered by the operations of its metrics.',
  },
  {
    path: /^collaborators$/,
    kind: 'missing',
    reason: 'Who has changed a flag is answered by its events; a list beside it would grow with every user.',
  },
];

export function reasonFor(step: string, { path, kind }: Difference): string | undefined {
  return known.find(
    (each) =>
      (each.step?.test(step) ?? true) &&
      (each.path?.test(path) ?? true) &&
      (each.kind === undefined || each.kind === kind),
  )?.reason;
}
