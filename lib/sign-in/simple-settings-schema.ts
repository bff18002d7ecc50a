import * as v from 'valibot';
import { boolean, object } from '../values/primitives.ts';

/** Settings of sign-in with passwords; `disabled` switches it off. */
export const simpleSettings = object({ disabled: v.exactOptional(boolean) });
export type SimpleSettings = v.InferOutput<typeof simpleSettings>;
