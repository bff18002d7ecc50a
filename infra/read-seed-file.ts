import { readFile } from 'node:fs/promises';
import { kinds } from '../lib/imports/seed/kinds.ts';
import { readSeed, type Seed } from '../lib/imports/seed/seed-data.ts';
import { Problem } from './problem.ts';

/**
 * Reads a seed file, and reports the problems and notes that can be found without a store.
 * @throws Problem if the file cannot be read, or has no member of a seed file, which means that it is another kind of file.
 */
export async function readSeedFile(file: string): Promise<Seed> {
  const json = await readJsonFile(file);
  const members = Object.keys(kinds);
  const isList = Array.isArray(json);
  if (isList || !members.some((member) => Object.hasOwn(Object(json), member))) {
    const reason = isList ? 'it is a list, not an object with some' : 'it has none';
    throw new Problem(`${file} is not a seed file: ${reason} of the members ${members.join(', ')}.`);
  }
  return readSeed(json);
}

/** The byte order mark that editors and shells on Windows put before UTF-8. */
const byteOrderMark = /^\uFEFF/;

/** Reads a JSON file. @throws Problem if it cannot be read, or is no valid JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse((await readFile(path, 'utf8')).replace(byteOrderMark, ''));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read';
    throw new Problem(`${path} ${reason}: ${(error as Error).message}`);
  }
}
