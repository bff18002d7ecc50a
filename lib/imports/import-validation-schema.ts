import * as v from 'valibot';
import { object, text } from '../values/primitives.ts';

const items = v.array(object({ message: text, affectedItems: v.array(text) }));

/** Outcome of the validation of an import. */
export const importValidation = object({ errors: items, warnings: items, permissions: items });
export type ImportValidation = v.InferOutput<typeof importValidation>;
