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

/** A context field in an import or a seed. */
export const importedContextField = object({
  name,
  description: v.exactOptional(v.nullable(lenientText)),
  stickiness: v.exactOptional(boolean),
  sortOrder: v.exactOptional(integer),
  legalValues: v.exactOptional(v.array(object({ value: text, description: v.exactOptional(lenientText) }))),
});
export type ImportedContextField = v.InferOutput<typeof importedContextField>;

/** A legal value of a context field, in requests. */
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

/** The project of a context field; null for the whole service. A project in the path comes first. */
const project = { project: v.exactOptional(v.nullable(name)) };

/** The same at paths without a project. */
export const contextFieldUpdateAnywhere = object({ ...contextFieldUpdate.entries, ...project });
export const contextFieldInputAnywhere = object({ ...contextFieldInput.entries, ...project });

/** A context field in a file of features. An import moves a field of a project to its target project. */
export const contextFieldInFile = object({ ...importedContextField.entries, ...project });

/** A context field, such as the country of a user, in the store and in replies. */
export const contextField = object({
  name,
  description: v.nullable(text),
  stickiness: boolean,
  sortOrder: integer,
  createdAt: timestamp,
  /** The values that constraints may have; empty for any. */
  legalValues: v.array(object({ value: text, description: v.exactOptional(text) })),
  /** The project that it belongs to; missing if that is the whole service. */
  project: v.exactOptional(name),
});
export type ContextField = v.InferOutput<typeof contextField>;

/** A context field with the numbers of live features that compare it, and of their projects. */
export const listedContextField = object({ ...contextField.entries, usedInFeatures: integer, usedInProjects: integer });

/** The path of a context field. */
export const contextFieldName = object({ name });
