import jsonPatch, { type JsonPatchError, type Operation } from 'fast-json-patch';
import { ApiError, type ErrorDetail, invalid, invalidRequest, shown } from '../errors.ts';
import type { JsonPatch } from './json-patch-schema.ts';

type Document = Readonly<Record<string, unknown>>;

/** The copies of a patch may add as much to a document as a body could bring. */
const copiedBytesMax = 100_000;

/**
 * Applies a JSON Patch (RFC 6902) to the fields of a document. A path leads to one of them and no deeper.
 * @returns another document; a removed field is missing in it.
 * @throws ApiError 400 with every path that leads nowhere; 409 for a test that fails. Nothing is half done then.
 */
export function patchedFields<T extends Document>(document: T, patch: JsonPatch): Partial<T> {
  const fields = Object.keys(document);
  assertWithin(fields, patch, (path) => fields.includes(path.slice(1)));
  return patched(document, patch) as Partial<T>;
}

/**
 * Returns a patched object as `patchedFields` does, with paths that lead into a field, too.
 * @param fields those that the document may have.
 * @returns a document that can hold anything below its fields.
 */
export function patchedObject(document: Document, fields: readonly string[], patch: JsonPatch): Document {
  assertWithin(fields, patch, (path) => fields.some((field) => `${path}/`.startsWith(`/${field}/`)));
  return patched(document, patch) as Document;
}

/**
 * Applies a JSON Patch to a document of any kind.
 * @returns another document, which can be anything; null where it was removed as a whole.
 * @throws ApiError 400 for the first path that leads nowhere; 409 for a test that fails. Nothing is half done then.
 */
export function patched(document: unknown, patch: JsonPatch): unknown {
  let result = structuredClone(document);
  let copiedBytes = 0;
  for (const [index, operation] of patch.entries()) {
    const found = valueAt(result, operation.from ?? operation.path);
    // A document has no functions: this is a property that every object inherits.
    if (typeof found === 'function') throw refusal(operation, index);
    if (operation.op === 'copy') {
      copiedBytes += Buffer.byteLength(JSON.stringify(found) ?? '');
      if (copiedBytes > copiedBytesMax) {
        throw invalid(`The copies of a patch have at most ${copiedBytesMax} bytes.`, `${index}.from`);
      }
    }
    try {
      // The patch keeps its own values: what is put into the document may be changed by what follows.
      const { newDocument } = jsonPatch.applyOperation(result, structuredClone(operation) as Operation, true);
      result = newDocument;
    } catch (error) {
      throw refusal(operation, index, error as Error);
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

/** Returns an error of the library as one of ours. It throws a TypeError for a path that it cannot resolve. */
function refusal({ path, from }: JsonPatch[number], index: number, error?: Error): ApiError {
  const name = error?.name;
  if (name === ('TEST_OPERATION_FAILED' satisfies JsonPatchError['name'])) {
    return new ApiError('ConflictError', `The test of ${shown(path)} failed.`, [
      { message: 'The value is different.', path: `${index}.value` },
    ]);
  }
  const isFrom = name === ('OPERATION_FROM_UNRESOLVABLE' satisfies JsonPatchError['name']);
  return invalid(`There is no "${shown((isFrom ? from : path) ?? '')}".`, `${index}.${isFrom ? 'from' : 'path'}`);
}

/** @throws ApiError 400 with every path outside the fields. */
function assertWithin(fields: readonly string[], patch: JsonPatch, isWithin: (path: string) => boolean): void {
  const problemOf = (path: string | undefined, place: string): ErrorDetail[] => {
    if (path === undefined || isWithin(path)) return [];
    const paths = fields.map((field) => `/${field}`).join(', ');
    return [{ message: `There is no "${shown(path)}"; there are ${paths}.`, path: place }];
  };
  const problems = patch.flatMap(({ path, from }, index) => [
    ...problemOf(path, `${index}.path`),
    ...problemOf(from, `${index}.from`),
  ]);
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Returns the JSON Patch that turns one document into another. */
export function patchBetween(before: object, after: object): JsonPatch {
  return jsonPatch.compare(before, after) as JsonPatch;
}
