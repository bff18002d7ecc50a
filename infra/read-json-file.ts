import { readFile } from 'node:fs/promises';
import { Problem } from './problem.ts';

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
