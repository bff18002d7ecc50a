import { applyPatch, type Operation } from 'rfc6902';
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import type { JsonPatch } from '../schemas/json-patch.ts';

type Document = Readonly<Record<string, unknown>>;

/**
 * Applies a JSON Patch (RFC 6902) to the fields of a document. A path leads to one of them and no deeper, so that no copy
 * can make the document grow.
 * @returns another document; a removed field is missing in it.
 * @throws ApiError 400 with every path that leads nowhere; 409 for a test that fails. Nothing is half done then.
 */
export function patched<T extends Document>(document: T, patch: JsonPatch): Partial<T> {
  const problems = patch.flatMap((operation, index) => [
    ...strayPath(document, operation.path, `${index}.path`),
    ...(operation.from === undefined ? [] : strayPath(document, operation.from, `${index}.from`)),
  ]);
  if (problems.length > 0) throw invalidRequest(problems);
  const result: Partial<T> = { ...document };
  const outcomes = applyPatch(result, patch as Operation[]);
  const failed = outcomes.findIndex((outcome) => outcome !== null);
  const operation = patch[failed];
  if (operation === undefined) return result;
  const path = `${failed}.path`;
  if (operation.op !== 'test') throw invalidRequest([{ message: `There is no ${operation.path} any more.`, path }]);
  throw new ApiError('ConflictError', `The test of ${operation.path} failed.`, [
    { message: 'The value is another one.', path: `${failed}.value` },
  ]);
}

function strayPath(document: Document, path: string, place: string): ErrorDetail[] {
  if (path.startsWith('/') && Object.hasOwn(document, path.slice(1))) return [];
  const paths = Object.keys(document).map((field) => `/${field}`);
  return [{ message: `There is no "${path.slice(0, 100)}"; there are ${paths.join(', ')}.`, path: place }];
}
