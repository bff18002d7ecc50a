import { readFileSync, writeFileSync } from 'node:fs';

const begin = (name: string) => `<!-- ${name}: written by "npm run generate" -->`;
const end = (name: string) => `<!-- /${name} -->`;

/** The advice of a test that finds what is written of an operation, or of all of them, out of date. */
export const outdated = (operationId?: string) =>
  `run "npm run generate${operationId === undefined ? '' : ` -- ${operationId}`}"`;

/**
 * The lines of a generated part of a page, without empty ones at its ends.
 * @throws Error where the page has no such part.
 */
export function readPart(file: URL, name: string): string[] {
  const [, rest] = split(readFileSync(file, 'utf8'), begin(name), file);
  return split(rest, end(name), file)[0].trim().split('\n');
}

/**
 * Replaces a generated part of a page.
 * @throws Error where the page has no such part.
 */
export function writePart(file: URL, name: string, lines: readonly string[]): void {
  const [before, rest] = split(readFileSync(file, 'utf8'), begin(name), file);
  const [, after] = split(rest, end(name), file);
  writeFileSync(file, [before, begin(name), `\n\n${lines.join('\n')}\n\n`, end(name), after].join(''));
}

function split(text: string, mark: string, file: URL): [string, string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`${file.pathname} lacks the line ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}
