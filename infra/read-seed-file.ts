import { members } from '../lib/imports/seed/kinds.ts';
import { readSeed, type Seed } from '../lib/imports/seed/seed-data.ts';
import { Problem } from './problem.ts';
import { readJsonFile } from './read-json-file.ts';

/**
 * Reads a seed file, with the problems and notes that show without a store.
 * @throws Problem when it cannot be read, or when it has no member of a seed file, and is therefore another file.
 */
export async function readSeedFile(file: string): Promise<Seed> {
  const json = await readJsonFile(file);
  const isList = Array.isArray(json);
  if (isList || !members.some((member) => Object.hasOwn(Object(json), member))) {
    const found = isList ? 'it is a list, not an object with some' : 'it has none';
    throw new Problem(`${file} is not a seed file: ${found} of the members ${members.join(', ')}.`);
  }
  return readSeed(json);
}
