import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../../functions/client/README.md', import.meta.url), 'utf8');

/** Output of each snippet while the service answers. */
export const answered = 'true blue';

/** Returns the commands at the top of the page of SDKs, which make the flags and the tokens of its snippets. */
export function preparingCommands(): string {
  const [, commands = ''] = /^```sh\n(.*?)^```/ms.exec(page) ?? [];
  return commands;
}

/**
 * Returns the snippet under a heading of the page of SDKs, with the URL of a service and a token for pages in it.
 * @throws Error if there is none.
 */
export function snippetOf(heading: string, url: string, pageToken: string): string {
  const [, section = ''] = page.split(`\n### ${heading}\n`);
  const [, code] = /^```(?!sh)\w+\n(.*?)^```/ms.exec(section.split(/^#{2,3} /m)[0] ?? '') ?? [];
  if (code === undefined) throw new Error(`functions/client/README.md has no snippet under "${heading}".`);
  return code.replaceAll('http://localhost:4242', url).replaceAll('<PAGE_TOKEN>', pageToken);
}

/**
 * Returns the snippet under a heading with the line that switches on streaming, from the table of clients that can stream.
 * @throws Error if there is no such row.
 */
export function streamingSnippetOf(heading: string, url: string): string {
  const [, line] = new RegExp(`^\\| ${heading} \\| \`(.*?)\` \\|`, 'm').exec(page) ?? [];
  if (line === undefined) throw new Error(`functions/client/README.md does not switch on streaming for ${heading}.`);
  return snippetOf(heading, url, '').replace(/^.*app_?name.*$/im, (application) => `${application}\n${line}`);
}
