import { readFileSync } from 'node:fs';
import type { Flags } from './flags.ts';

const page = readFileSync(new URL('../../../functions/client/README.md', import.meta.url), 'utf8');

/** Output of each snippet while the service answers. */
export const answered = 'true blue';

/**
 * Returns the snippet under a heading of the page of SDKs, with the URL of the service and a token of its own for
 * pages.
 * @throws Error if there is none.
 */
export async function snippetOf(heading: string, flags: Flags): Promise<string> {
  const [, section = ''] = page.split(`\n### ${heading}\n`);
  const [, code] = /^```(?!sh)\w+\n(.*?)^```/ms.exec(section.split(/^#{2,3} /m)[0] ?? '') ?? [];
  if (code === undefined) throw new Error(`functions/client/README.md has no snippet under "${heading}".`);
  return code.replaceAll('http://localhost:4242', flags.url).replaceAll('<PAGE_TOKEN>', await flags.token('frontend'));
}
