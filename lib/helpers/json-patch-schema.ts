import * as v from 'valibot';
import { object, text } from '../values/primitives.ts';

const pointer = v.pipe(text, v.regex(/^(\/[^/]*)*$/, 'A path is empty, or begins with a slash (RFC 6901).'));

/** The members that operations need (RFC 6902, section 4), besides a path. */
const needs = { add: 'value', replace: 'value', test: 'value', move: 'from', copy: 'from', remove: 'path' } as const;

/** One operation of a JSON Patch (RFC 6902). */
export const patchOperation = v.pipe(
  object({
    op: v.picklist(['add', 'remove', 'replace', 'copy', 'move', 'test']),
    path: pointer,
    from: v.exactOptional(pointer),
    value: v.exactOptional(v.unknown()),
  }),
  v.check(
    (sent) => Object.hasOwn(sent, needs[sent.op]),
    ({ input: { op } }) => `The operation ${op} needs a ${needs[op]}.`,
  ),
);

/** Operations beyond this many change nothing that fewer could not. */
const operationsMax = 100;

/** The operations of RFC 6902, carried out one after the other. */
export const jsonPatch = v.pipe(
  v.array(patchOperation),
  v.maxLength(operationsMax, `A patch has at most ${operationsMax} operations.`),
);
export type JsonPatch = v.InferOutput<typeof jsonPatch>;
