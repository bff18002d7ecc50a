import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildConsole } from '../../../infra/console/build-console.ts';
import { refreshConsole } from '../../../infra/console/refresh-console.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { folderInTest } from '../../harness/test-folder.ts';

describe('The build of the console', () => {
  let directory: string;
  let outputs: Metafile['outputs'];
  beforeAll(async () => {
    const folder = temporaryFolder();
    directory = join(folder.path, 'console');
    ({ outputs } = await buildConsole(directory));
    return () => folder[Symbol.dispose]();
  });

  const kilobytesOf = (paths: Iterable<string>) =>
    [...paths].reduce(
      (sum, path) => sum + gzipSync(readFileSync(join(directory, 'static', basename(path)))).length,
      0,
    ) / 1_000;

  /** Returns a script with those that it imports at once. */
  function closureOf(path: string, found = new Set<string>()): Set<string> {
    if (found.has(path)) return found;
    found.add(path);
    const imports = outputs[path]?.imports.filter(({ kind }) => kind === 'import-statement') ?? [];
    for (const each of imports) closureOf(each.path, found);
    return found;
  }

  const scriptOf = (entryPoint: string) =>
    Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entryPoint) ?? '';

  test('loads at most 45 kB of scripts before it shows something', () => {
    expect(kilobytesOf(closureOf(scriptOf('main.tsx')))).toBeLessThanOrEqual(45);
  });

  test('loads at most 30 kB more for each screen, and for each part that is loaded later', () => {
    const first = closureOf(scriptOf('main.tsx'));
    const later = Object.entries(outputs).flatMap(([path, { entryPoint = '' }]) => {
      // The engine of regular expressions is loaded only when a condition has one.
      if (first.has(path) || !entryPoint.endsWith('.tsx')) return [];
      const more = closureOf(path).difference(first);
      return [{ screen: entryPoint, kilobytes: kilobytesOf(more) }];
    });
    expect(later.length).toBeGreaterThan(5);
    expect(later.filter(({ kilobytes }) => kilobytes > 30)).toEqual([]);
  });

  test('has at most 10 kB of styles in its page', () => {
    expect(kilobytesOf(Object.keys(outputs).filter((path) => path.endsWith('.css')))).toBeLessThanOrEqual(10);
  });

  test('has names that change with the content, and the licences beside', () => {
    const names = readdirSync(join(directory, 'static'));
    expect(names.filter((name) => !/-[\dA-Z]{8}\.(js|css)(\.LEGAL\.txt)?$/.test(name))).toEqual([]);
    const licences = names.filter((name) => name.endsWith('.LEGAL.txt')).map((name) => join(directory, 'static', name));
    expect(licences.map((file) => readFileSync(file, 'utf8')).join('\n')).toContain('lucide');
  });

  test('writes a page without code or styles of its own', () => {
    const html = readFileSync(join(directory, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<style|style=|<script(?! type="module" src="\/static\/)|https?:/);
    for (const [, path = ''] of html.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)) {
      expect(existsSync(join(directory, path)), path).toBe(true);
    }
  });
});

describe('The console of npm start', () => {
  test('is built once, and again when a source is newer', async () => {
    const directory = join(folderInTest(), 'flagstaff');
    const page = join(directory, 'index.html');
    await refreshConsole(directory);
    const builtAt = statSync(page).mtimeMs;
    await refreshConsole(directory);
    expect(statSync(page).mtimeMs).toBe(builtAt);
    utimesSync(join(directory, 'inputs.json'), new Date(0), new Date(0));
    await refreshConsole(directory);
    expect(statSync(page).mtimeMs).toBeGreaterThan(builtAt);
  });

  test('replaces whatever is in its folder as a whole', async () => {
    const parent = folderInTest();
    const directory = join(parent, 'flagstaff');
    mkdirSync(directory);
    writeFileSync(join(directory, 'left.js'), '');
    await refreshConsole(directory);
    expect(readdirSync(directory).toSorted()).toEqual(['icon.svg', 'index.html', 'inputs.json', 'static']);
    expect(readdirSync(parent)).toEqual(['flagstaff']);
  });
});
