import { type GenericSchema, object } from 'valibot';
import { requireValid } from '../errors.ts';

/**
 * Returns the name that an update gives a thing. One that it has already stays, though nothing could get it today: names were
 * once taken with white space around them, and migrations bring such.
 * @param schema schema of the names of new things.
 * @throws ApiError 400 for another name that the schema refuses.
 */
export function rename(before: string, sent: string, schema: GenericSchema<string, string>): string {
  return sent === before ? before : requireValid(object({ name: schema }), { name: sent }).name;
}
