import type * as v from 'valibot';
import { boolean, object } from '../values/primitives.ts';

/** The settings of SCIM in replies. */
export const scimSettings = object({ enabled: boolean, hasToken: boolean });
export type ShownScimSettings = v.InferOutput<typeof scimSettings>;
