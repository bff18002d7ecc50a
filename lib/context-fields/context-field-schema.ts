import * as v from 'valibot';
import { uniqueBy } from '../values/lists.ts';
import {
  acceptScalars,
  boolean,
  integer,
  lenientText,
  name,
  object,
  text,
  textOfLength,
  timestamp,
} from '../values/primitives.ts';

/** A context field as it is imported or seeded. */
export const importedContextField = object({
  name,
  description: v.exactOptional(v.nullable(lenientText)),
  stickiness: v.exactOptional(boolean),
  sortOrder: v.exactOptional(integer),
  legalValues: v.exactOptional(v.array(object({ value: text, description: v.exactOptional(lenientText) }))),
});
export type ImportedContextField = v.InferOutput<typeof importedContextField>;

/** Legal value of a context field, in requests. */
export const legalValueInput = object({
  value: textOfLength(1, 100),
  description: v.exactOptional(v.nullable(lenientText)),
});
export type LegalValueInput = v.InferOutput<typeof legalValueInput>;

const legalValuesInput = v.pipe(
  v.array(legalValueInput),
  uniqueBy(
    ({ value }) => value,
    (repeated) => `The value "${repeated}" is listed twice.`,
  ),
);

/** Update of a context field. */
export const contextFieldUpdate = object({
  description: v.exactOptional(v.nullable(acceptScalars(v.pipe(text, v.maxLength(250))))),
  stickiness: v.exactOptional(boolean),
  sortOrder: v.exactOptional(integer),
  legalValues: v.exactOptional(legalValuesInput),
});
export type ContextFieldUpdate = v.InferOutput<typeof contextFieldUpdate>;

/** Context field in requests. */
export const contextFieldInput = object({ name, ...contextFieldUpdate.entries });
export type ContextFieldInput = v.InferOutput<typeof contextFieldInput>;

/** The project that a context field is made for; null for the whole service. A path that names one goes before it. */
const project = { project: v.exactOptional(v.nullable(name)) };

/** The same where the path names no project. */
export const contextFieldUpdateAnywhere = object({ ...contextFieldUpdate.entries, ...project });
export const contextFieldInputAnywhere = object({ ...contextFieldInput.entries, ...project });

/** A context field in a file of features: one of a project is given to the project that the file is imported into. */
export const contextFieldInFile = object({ ...importedContextField.entries, ...project });

/** Context field that constraints compare, e.g. the country of a user, in the store and in replies. */
export const contextField = object({
  name,
  description: v.nullable(text),
  stickiness: boolean,
  sortOrder: integer,
  createdAt: timestamp,
  /** The values that constraints may name; none means any. */
  legalValues: v.array(object({ value: text, description: v.exactOptional(text) })),
  /** The project that it is made for and administered in; missing where that is the whole service. */
  project: v.exactOptional(name),
});
export type ContextField = v.InferOutput<typeof contextField>;

/** A context field with how many live features compare it, and in how many projects. */
export const listedContextField = object({ ...contextField.entries, usedInFeatures: integer, usedInProjects: integer });

/** The path of a context field. */
export const contextFieldName = object({ name });
