import { readFile } from 'node:fs/promises';
import { Problem } from './problem.ts';

/** The mark that editors and shells on Windows put before UTF-8. */
const byteOrderMark = /^\uFEFF/;

/** @throws Problem when it cannot be read, or holds no JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  try {
    return JSON.parse((await readFile(path, 'utf8')).replace(byteOrderMark, ''));
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'holds no valid JSON' : 'cannot be read';
    throw new Problem(`${path} ${reason}: ${(error as Error).message}`);
  }
}
