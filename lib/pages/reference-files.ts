import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import about from 'swagger-ui-dist/package.json' with { type: 'json' };
import { notFound } from '../errors.ts';
import { referenceDirectory } from './reference-directory.ts';

/** The files of Swagger UI that the API reference needs, with their content types. No other files can be read. */
const types: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
]);

/** Their names, for the bundler, which puts them next to the function. */
export const referenceFiles: readonly string[] = [...types.keys()];

/** Returns the path of a file. It contains the version, so that browsers can cache it forever. */
export function referenceUrl(name: string): string {
  return `/docs/${name}?v=${about.version}`;
}

const cache = new Map<string, Promise<string>>();

/**
 * Reads a file and caches it.
 * @throws ApiError 404 for an unknown name.
 */
export async function readReferenceFile(name: string): Promise<{ text: string; type: string }> {
  const type = types.get(name);
  if (type === undefined) throw notFound('file', name);
  let reading = cache.get(name);
  if (reading === undefined) {
    reading = readFile(join(referenceDirectory(), name), 'utf8');
    cache.set(name, reading);
  }
  return { text: await reading, type };
}
