import * as v from 'valibot';
import { object, text } from '../values/primitives.ts';

const pointer = v.pipe(text, v.regex(/^(\/[^/]*)*$/, 'A path is empty, or begins with a slash (RFC 6901).'));

/** The member that each operation requires in addition to its path (RFC 6902, section 4). */
const neededMembers = {
  add: 'value',
  replace: 'value',
  test: 'value',
  move: 'from',
  copy: 'from',
  remove: 'path',
} as const;

/** One operation of a JSON Patch (RFC 6902). */
export const patchOperation = v.pipe(
  object({
    op: v.picklist(['add', 'remove', 'replace', 'copy', 'move', 'test']),
    path: pointer,
    from: v.exactOptional(pointer),
    value: v.exactOptional(v.unknown()),
  }),
  v.check(
    (operation) => Object.hasOwn(operation, neededMembers[operation.op]),
    ({ input: { op } }) => `The operation ${op} needs a ${neededMembers[op]}.`,
  ),
);

/** The most operations of a patch; documents have far fewer fields. */
const operationsMax = 100;

/** A JSON Patch (RFC 6902): operations that are applied one after the other. */
export const jsonPatch = v.pipe(
  v.array(patchOperation),
  v.maxLength(operationsMax, `A patch has at most ${operationsMax} operations.`),
);
export type JsonPatch = v.InferOutput<typeof jsonPatch>;
