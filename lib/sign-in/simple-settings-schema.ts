import * as v from 'valibot';
import { boolean, object } from '../values/primitives.ts';

/** Whether people may not sign in with passwords. */
export const simpleSettings = object({ disabled: v.exactOptional(boolean) });
export type SimpleSettings = v.InferOutput<typeof simpleSettings>;
