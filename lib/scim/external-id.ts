import * as v from 'valibot';
import { requireValid } from '../errors.ts';
import { object } from '../values/primitives.ts';

const resource = object({ externalId: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(250))) });

/** @throws ApiError 400 for an external id that is empty or too long. */
export function assertExternalId({ externalId }: { readonly externalId?: string }): void {
  requireValid(resource, externalId === undefined ? {} : { externalId });
}
