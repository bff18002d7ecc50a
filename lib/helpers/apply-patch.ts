import jsonPatch, { type JsonPatchError, type Operation } from 'fast-json-patch';
import { ApiError, type ErrorDetail, invalid, invalidRequest, truncate } from '../errors.ts';
import type { JsonPatch } from './json-patch-schema.ts';

type Document = Readonly<Record<string, unknown>>;

/** The most bytes that the copies of a patch may add to a document, which is the default limit of a body. */
const copiedBytesMax = 100_000;

/**
 * Applies a JSON Patch (RFC 6902) to the fields of a document. Each path is the name of a field.
 * @returns a new document, without the removed fields.
 * @throws ApiError 400 with every unknown path; 409 for a failed test.
 */
export function patchFields<T extends Document>(document: T, patch: JsonPatch): Partial<T> {
  const fields = Object.keys(document);
  assertWithin(fields, patch, (path) => fields.includes(path.slice(1)));
  return applyPatch(document, patch) as Partial<T>;
}

/**
 * Applies a JSON Patch like `patchFields`, with paths that may also lead into fields.
 * @param fields the fields that the document may have.
 * @returns a new document, whose fields are not validated.
 */
export function patchObject(document: Document, fields: readonly string[], patch: JsonPatch): Document {
  assertWithin(fields, patch, (path) => fields.some((field) => `${path}/`.startsWith(`/${field}/`)));
  return applyPatch(document, patch) as Document;
}

/**
 * Applies a JSON Patch to a document of any kind.
 * @returns a new document of any kind; null if the whole document was removed.
 * @throws ApiError 400 for the first unknown path; 409 for a failed test.
 */
export function applyPatch(document: unknown, patch: JsonPatch): unknown {
  let result = structuredClone(document);
  let copiedBytes = 0;
  for (const [index, operation] of patch.entries()) {
    const source = valueAt(result, operation.from ?? operation.path);
    // Documents have no functions: this is an inherited method, such as `toString`.
    if (typeof source === 'function') throw toApiError(operation, index);
    if (operation.op === 'copy') {
      copiedBytes += Buffer.byteLength(JSON.stringify(source) ?? '');
      if (copiedBytes > copiedBytesMax) {
        throw invalid(`The copies of a patch have at most ${copiedBytesMax} bytes.`, `${index}.from`);
      }
    }
    try {
      // A clone, since later operations may change the values that this operation adds to the document.
      const { newDocument } = jsonPatch.applyOperation(result, structuredClone(operation) as Operation, true);
      result = newDocument;
    } catch (error) {
      throw toApiError(operation, index, error as Error);
    }
  }
  return result;
}

function valueAt(document: unknown, path: string): unknown {
  try {
    return jsonPatch.getValueByPointer(document, path);
  } catch {
    return undefined;
  }
}

/** Converts an error of the library, which throws a TypeError for a path that it cannot resolve. */
function toApiError({ path, from }: JsonPatch[number], index: number, error?: Error): ApiError {
  const name = error?.name;
  if (name === ('TEST_OPERATION_FAILED' satisfies JsonPatchError['name'])) {
    return new ApiError('ConflictError', `The test of ${truncate(path)} failed.`, [
      { message: 'The value is different.', path: `${index}.value` },
    ]);
  }
  const isFrom = name === ('OPERATION_FROM_UNRESOLVABLE' satisfies JsonPatchError['name']);
  return invalid(`There is no "${truncate((isFrom ? from : path) ?? '')}".`, `${index}.${isFrom ? 'from' : 'path'}`);
}

/** @throws ApiError 400 with every path that names no field. */
function assertWithin(fields: readonly string[], patch: JsonPatch, isWithin: (path: string) => boolean): void {
  const problemOf = (path: string | undefined, named: string): ErrorDetail[] => {
    if (path === undefined || isWithin(path)) return [];
    const paths = fields.map((field) => `/${field}`).join(', ');
    return [{ message: `There is no "${truncate(path)}"; there are ${paths}.`, path: named }];
  };
  const problems = patch.flatMap(({ path, from }, index) => [
    ...problemOf(path, `${index}.path`),
    ...problemOf(from, `${index}.from`),
  ]);
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Returns the JSON Patch that turns one document into another. */
export function buildPatch(before: object, after: object): JsonPatch {
  return jsonPatch.compare(before, after) as JsonPatch;
}
