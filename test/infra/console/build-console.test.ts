import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildConsole, type ConsoleBuild } from '../../../infra/console/build-console.ts';
import { refreshConsole } from '../../../infra/console/refresh-console.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { folderInTest } from '../../harness/test-folder.ts';

describe('The build of the console', () => {
  let directory: string;
  let build: ConsoleBuild;
  beforeAll(async () => {
    const folder = temporaryFolder();
    directory = join(folder.path, 'console');
    build = await buildConsole(directory);
    return () => folder[Symbol.dispose]();
  });

  const kilobytesOf = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(directory, 'static', file))).length, 0) / 1_000;

  /** Returns a script with those that it imports at once. */
  function closureOf(file: string, found = new Set<string>()): Set<string> {
    if (found.has(file)) return found;
    found.add(file);
    for (const each of build.scripts.find((script) => script.file === file)?.imports ?? []) closureOf(each, found);
    return found;
  }

  const first = () => closureOf(build.scripts.find(({ entry }) => entry === 'main.tsx')?.file ?? '');

  test('loads at most 47.5 kB of scripts before it shows something', () => {
    expect(kilobytesOf(first())).toBeLessThanOrEqual(47.5);
  });

  test('loads at most 36 kB more in three scripts for each screen, and for each part that is loaded later', () => {
    const before = first();
    const later = build.scripts.flatMap(({ file, entry }) => {
      // The engine of regular expressions is loaded only when a condition has one.
      if (before.has(file) || !entry?.endsWith('.tsx')) return [];
      const more = closureOf(file).difference(before);
      return [{ screen: entry, count: more.size, kilobytes: kilobytesOf(more) }];
    });
    expect(later.length).toBeGreaterThan(5);
    expect(later.filter(({ count, kilobytes }) => kilobytes > 36 || count > 3)).toEqual([]);
  });

  test('has at most 10 kB of styles in its page', () => {
    expect(kilobytesOf(build.styles)).toBeLessThanOrEqual(10);
  });

  test('has names that change with the content, and the licence of the icons', () => {
    const names = readdirSync(join(directory, 'static'));
    expect(names.filter((name) => !/-[\w-]{8}\.(js|css)$/.test(name))).toEqual([]);
    const scripts = names.map((name) => readFileSync(join(directory, 'static', name), 'utf8'));
    expect(scripts.filter((text) => text.includes('lucide.dev'))).toHaveLength(1);
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
