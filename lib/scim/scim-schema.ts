import * as v from 'valibot';
import { boolean, count, object, openObject, text, timestamp } from '../values/primitives.ts';

/*
 * The attributes in requests may have names in any case, and further ones are ignored. So the schemas of bodies accept every object,
 * and `parseResource` reads it.
 */

/** A user or group in requests. */
export const scimResourceInput = openObject({});

/** A list of operations in requests, for a PATCH. */
export const scimPatchInput = openObject({});

const number = v.pipe(v.string(), v.regex(/^-?\d{1,9}$/, 'A whole number is required.'), v.transform(Number));

/** The attributes that a reply has. */
export const scimSelection = object({
  attributes: v.exactOptional(text),
  excludedAttributes: v.exactOptional(text),
});

/** The query of a list. */
export const scimListQuery = object({
  ...scimSelection.entries,
  filter: v.exactOptional(text),
  startIndex: v.exactOptional(number),
  count: v.exactOptional(number),
});

/** A query in a body. */
export const scimSearchInput = object({
  attributes: v.exactOptional(v.array(text)),
  excludedAttributes: v.exactOptional(v.array(text)),
  filter: v.exactOptional(text),
  startIndex: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
  count: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
});

const meta = object({
  resourceType: v.exactOptional(text),
  created: v.exactOptional(timestamp),
  lastModified: v.exactOptional(timestamp),
  location: v.exactOptional(text),
  version: v.exactOptional(text),
});

/** A user in replies. Those to a query for some attributes lack the others. */
export const scimUser = object({
  schemas: v.array(text),
  id: text,
  externalId: v.exactOptional(text),
  userName: v.exactOptional(text),
  name: v.exactOptional(
    object({
      formatted: v.exactOptional(text),
      familyName: v.exactOptional(text),
      givenName: v.exactOptional(text),
    }),
  ),
  displayName: v.exactOptional(text),
  emails: v.exactOptional(
    v.array(
      object({
        value: v.exactOptional(text),
        type: v.exactOptional(text),
        primary: v.exactOptional(boolean),
      }),
    ),
  ),
  active: v.exactOptional(boolean),
  meta: v.exactOptional(meta),
});
export type ScimUser = v.InferOutput<typeof scimUser>;

/** A group in replies. Those to a query for some attributes lack the others. */
export const scimGroup = object({
  schemas: v.array(text),
  id: text,
  externalId: v.exactOptional(text),
  displayName: v.exactOptional(text),
  // A member also has `$ref`. Readers of the OpenAPI document would follow a property of this name.
  members: v.exactOptional(v.array(v.looseObject({ value: v.exactOptional(text), type: v.exactOptional(text) }))),
  meta: v.exactOptional(meta),
});
export type ScimGroup = v.InferOutput<typeof scimGroup>;

/** A page of resources. */
export function scimListOf<T extends v.GenericSchema>(resource: T) {
  return object({
    schemas: v.array(text),
    totalResults: count,
    startIndex: count,
    itemsPerPage: count,
    Resources: v.array(resource),
  });
}

/** A description of the service, of a kind of resource or of a schema. */
export const scimDescription = openObject({ schemas: v.array(text) });
