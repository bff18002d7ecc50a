import { readFile } from 'node:fs/promises';
import { members } from '../lib/seed/kinds.ts';
import { readSeed, type Seed } from '../lib/seed/seed-data.ts';
import { Problem } from './problem.ts';

/**
 * Reads a seed file, with the problems and notes that show without a store.
 * @throws Problem when it cannot be read, or when it has no member of a seed file, and is therefore another file.
 */
export async function readSeedFile(file: string): Promise<Seed> {
  const json = await jsonIn(file);
  if (isObject(json) && !members.some((member) => Object.hasOwn(json, member))) {
    throw new Problem(`${file} is not a seed file: it has none of the members ${members.join(', ')}.`);
  }
  return readSeed(json);
}

async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'holds no valid JSON' : 'cannot be read';
    throw new Problem(`${file} ${reason}: ${(error as Error).message}`);
  }
}

function isObject(json: unknown): json is object {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
