import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package that a file belongs to. */
const packageFolder = /^.*[\\/]?node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/;

const licenceFile = /^(?:licen[cs]e|copying|notice)\b/i;

/**
 * Returns the licences of the packages whose code is in a bundle, which copies of that code must contain. Packages with the same text
 * share it.
 * @param files the paths of all files that the bundle was made from.
 */
export function collectNotices(files: Iterable<string>): string {
  const folders = new Set([...files].flatMap((file) => packageFolder.exec(file) ?? []));
  const packages = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder).filter((file) => licenceFile.test(file));
    const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
    return { title: `${name} ${version} (${license})`, text };
  });
  const byText = Map.groupBy(packages, ({ text }) => text);
  const parts = [...byText].map(([text, owners]) => {
    const titles = [...new Set(owners.map(({ title }) => title))].toSorted();
    return `${titles.join('\n')}\n\n${text}`.trim();
  });
  return `Flagstaff contains code of these packages.\n\n${parts.toSorted().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
