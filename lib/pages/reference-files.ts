import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import about from 'swagger-ui-dist/package.json' with { type: 'json' };
import { notFound } from '../errors.ts';
import { referenceDirectory } from './reference-directory.ts';

/** The files of Swagger UI that the API reference is made of, with their types. Nothing else can be read. */
const types: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
]);

/** Their names, for what puts them beside the function that reads them. */
export const referenceFiles: readonly string[] = [...types.keys()];

/** Returns the path of one of the files; the version in it lets browsers cache it for good. */
export function referenceUrl(name: string): string {
  return `/docs/${name}?v=${about.version}`;
}

const read = new Map<string, Promise<string>>();

/**
 * Reads one of the files, once.
 * @throws ApiError 404 for any other name.
 */
export async function readReferenceFile(name: string): Promise<{ text: string; type: string }> {
  const type = types.get(name);
  if (type === undefined) throw notFound('file', name);
  let reading = read.get(name);
  if (reading === undefined) {
    reading = readFile(join(referenceDirectory(), name), 'utf8');
    read.set(name, reading);
  }
  return { text: await reading, type };
}
