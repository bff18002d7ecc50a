import { type GenericSchema, object } from 'valibot';
import { ApiError, requireValid } from '../errors.ts';

/** Returns a 409: no two things of a kind share this value. */
export function nameTakenError(kind: string, property: string, value: string | number): ApiError {
  const shortened = String(value).slice(0, 100);
  const article = /^[aeio]/.test(kind) ? 'an' : 'a';
  return new ApiError('NameExistsError', `There is already ${article} ${kind} with the ${property} "${shortened}".`);
}

/**
 * Returns the name of a thing after an update. An unchanged name is not validated: earlier releases accepted names with surrounding
 * white space, and migrations import such names.
 * @param schema the schema for names of new things.
 * @throws ApiError 400 for a changed name that the schema refuses.
 */
export function acceptName(before: string, name: string, schema: GenericSchema<string, string>): string {
  return name === before ? before : requireValid(object({ name: schema }), { name }).name;
}
