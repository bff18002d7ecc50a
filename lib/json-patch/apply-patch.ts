import { isDeepStrictEqual } from 'node:util';
import { ApiError, type ErrorDetail, invalid, invalidRequest, shown } from '../errors.ts';
import type { JsonPatch } from '../schemas/json-patch.ts';

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
 * As `patchedFields`, with paths that lead into a field, too.
 * @param fields those that the document may have.
 * @returns a document that can hold anything below its fields.
 */
export function patchedObject(document: Document, fields: readonly string[], patch: JsonPatch): Document {
  assertWithin(fields, patch, (path) => fields.includes(path.split('/')[1] ?? ''));
  return patched(document, patch) as Document;
}

/**
 * Applies a JSON Patch to a document of any kind. Paths are taken as strictly as RFC 6902 and 6901 have them.
 * @returns another document, which can be anything; undefined where it was removed as a whole.
 * @throws ApiError 400 for the first path that leads nowhere; 409 for a test that fails. Nothing is half done then.
 */
export function patched(document: unknown, patch: JsonPatch): unknown {
  // Within an object of one property, the document as a whole has a path like everything in it.
  const holder = { document: structuredClone(document) };
  let copiedBytes = 0;
  for (const [index, { op, path, from, value }] of patch.entries()) {
    const at = new Place(holder, path, `${index}.path`);
    if (op === 'test' && !isDeepStrictEqual(at.value(), value)) throw failedTest(path, index);
    if (op === 'remove') at.remove();
    if (op === 'replace') at.replace(value);
    if (op === 'add') at.add(value);
    if (op === 'copy' || op === 'move') {
      const source = new Place(holder, from ?? '', `${index}.from`);
      const found = source.value();
      if (op === 'copy') copiedBytes += Buffer.byteLength(JSON.stringify(found));
      if (copiedBytes > copiedBytesMax) {
        throw invalid(`The copies of a patch have at most ${copiedBytesMax} bytes.`, `${index}.from`);
      }
      if (op === 'move' && path.startsWith(`${from}/`)) throw invalid('Nothing moves into itself.', `${index}.path`);
      if (op === 'move') source.remove();
      at.add(found);
    }
  }
  return holder.document;
}

function failedTest(path: string, index: number): ApiError {
  return new ApiError('ConflictError', `The test of ${shown(path)} failed.`, [
    { message: 'The value is another one.', path: `${index}.value` },
  ]);
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

/** Where an operation finds or puts something, looked up anew each time: what came before may have moved it. */
class Place {
  readonly #holder: object;
  readonly #tokens: readonly string[];
  readonly #error: ApiError;

  /** @param place where in the patch the path stands. */
  constructor(holder: object, path: string, place: string) {
    this.#holder = holder;
    this.#tokens = ['document', ...path.split('/').slice(1).map(unescaped)];
    this.#error = invalid(`There is no "${shown(path)}".`, place);
  }

  /** @throws ApiError 400 where nothing is there. */
  value(): unknown {
    return this.#valueAt(this.#tokens);
  }

  /** @throws ApiError 400 where nothing can be put there. */
  add(value: unknown): void {
    const { parent, token } = this.#end();
    if (Array.isArray(parent)) {
      const index = token === '-' ? parent.length : indexFrom(token);
      if (index === undefined || index > parent.length) throw this.#error;
      parent.splice(index, 0, structuredClone(value));
    } else {
      if (strangers.includes(token)) throw this.#error;
      parent[token] = structuredClone(value);
    }
  }

  /** @throws ApiError 400 where nothing is there. */
  replace(value: unknown): void {
    this.value();
    const { parent, token } = this.#end();
    (parent as Container)[token] = structuredClone(value);
  }

  /** @throws ApiError 400 where nothing is there. */
  remove(): void {
    this.value();
    const { parent, token } = this.#end();
    if (Array.isArray(parent)) parent.splice(Number(token), 1);
    else delete parent[token];
  }

  #end(): { readonly parent: Container | unknown[]; readonly token: string } {
    const parent = this.#valueAt(this.#tokens.slice(0, -1));
    if (!isContainer(parent)) throw this.#error;
    return { parent, token: this.#tokens.at(-1) ?? '' };
  }

  #valueAt(tokens: readonly string[]): unknown {
    return tokens.reduce((value: unknown, token) => {
      const isThere = Array.isArray(value)
        ? (indexFrom(token) ?? value.length) < value.length
        : isContainer(value) && !strangers.includes(token) && Object.hasOwn(value, token);
      if (!isThere) throw this.#error;
      return (value as Container)[token];
    }, this.#holder);
  }
}

type Container = Record<string, unknown>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/** What means something else to JavaScript than a field of a document. */
const strangers = ['__proto__', 'constructor', 'prototype'];

function indexFrom(token: string): number | undefined {
  return /^(0|[1-9]\d*)$/.test(token) ? Number(token) : undefined;
}

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
