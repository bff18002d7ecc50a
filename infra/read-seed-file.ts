import { kinds } from '../lib/imports/seed/kinds.ts';
import { readSeed, type Seed } from '../lib/imports/seed/seed-data.ts';
import { Problem } from './problem.ts';
import { readJsonFile } from './read-json-file.ts';

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
