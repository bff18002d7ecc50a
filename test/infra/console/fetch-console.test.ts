import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { create } from 'tar';
import { describe, expect, test, vi } from 'vitest';
import { fetchConsole } from '../../../infra/console/fetch-console.ts';
import { type ConsoleRelease, consoleRelease, directoryOf, findConsole } from '../../../infra/console/release.ts';
import { listeningInTest } from '../../harness/listening.ts';
import { folderInTest } from '../../harness/test-folder.ts';

/** Files of the release's packages that matter here. */
const contents: Readonly<Record<string, readonly string[]>> = {
  'unleash-server': [
    'LICENSE',
    'dist/server.js',
    'frontend/build/favicon.ico',
    'frontend/build/index.html',
    'frontend/build/logo-unleash.png',
    'frontend/build/static/index-1a2b.js',
    'frontend/build/openapi-static/swagger.js',
  ],
  '@fontsource/material-symbols-outlined': [
    'LICENSE',
    'files/material-symbols-outlined-latin-400-normal.woff2',
    'files/material-symbols-outlined-latin-700-normal.woff2',
  ],
  '@fontsource-variable/sen': ['LICENSE', 'files/sen-latin-wght-normal.woff2', 'files/sen-latin-ext-wght-normal.woff2'],
};

const texts: Readonly<Record<string, string>> = {
  'frontend/build/index.html':
    '<head><link rel="icon" href="::faviconPrefix::/favicon.ico" /><title>Unleash</title></head>',
  'frontend/build/static/index-1a2b.js': 'a,GE=`Unleash`,b(`Unleash logo`),c(`Unleash logo`)',
};

/** Packages of the release's names, with a registry of npm that has nothing else, and that npm is set to. */
async function publish(): Promise<ConsoleRelease> {
  const directory = folderInTest();
  const archives = new Map<string, Buffer>();
  for (const [name, paths] of Object.entries(contents)) {
    const cwd = join(directory, name);
    for (const path of paths) {
      mkdirSync(dirname(join(cwd, 'package', path)), { recursive: true });
      writeFileSync(join(cwd, 'package', path), texts[path] ?? `${path} of ${name}`);
    }
    writeFileSync(join(cwd, 'package/package.json'), JSON.stringify({ name, version: '1.0.0' }));
    await create({ gzip: true, cwd, file: join(cwd, 'archive.tgz') }, ['package']);
    archives.set(name, readFileSync(join(cwd, 'archive.tgz')));
  }
  const published = consoleRelease.map((each) => ({ ...each, integrity: integrityOf(archives.get(each.name)) }));
  const registry = await listeningInTest(({ url = '', headers }, response) => {
    const { name, version, integrity } =
      published.find((each) => decodeURIComponent(url).startsWith(`/${each.name}`)) ?? {};
    if (name === undefined || version === undefined) response.writeHead(404).end();
    else if (url.endsWith('.tgz')) response.end(archives.get(name));
    else {
      const dist = { tarball: `http://${headers.host}/${name}/archive.tgz`, integrity };
      const versions = { [version]: { name, version, dist } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name, versions, 'dist-tags': { latest: version } }));
    }
  });
  vi.stubEnv('npm_config_registry', `${registry}/`);
  vi.stubEnv('npm_config_cache', join(directory, 'cache'));
  return published as unknown as ConsoleRelease;
}

const integrityOf = (archive: Buffer = Buffer.of()) =>
  `sha512-${createHash('sha512').update(archive).digest('base64')}`;

describe('npm run unleash-console', () => {
  test("takes only the UI, its fonts and their licences from packages of npm's configured registry", async () => {
    const release = await publish();
    const parent = join(folderInTest(), 'consoles');
    const directory = await fetchConsole(release, parent);
    expect(findConsole(release, parent)).toBe(directory);
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    expect(files.map(({ parentPath, name }) => relative(directory, join(parentPath, name))).toSorted()).toEqual([
      'LICENSE',
      'fonts/LICENSE-material-symbols-outlined',
      'fonts/LICENSE-sen',
      'fonts/material-symbols-outlined.woff2',
      'fonts/sen-latin-ext.woff2',
      'fonts/sen-latin.woff2',
      'icon.svg',
      'index.html',
      'static/index-1a2b.js',
    ]);
    expect(readdirSync(parent)).toHaveLength(1);
    // Two commands at once end with the same files.
    expect(await fetchConsole(release, parent)).toBe(directory);
    // A release of this service with other packages does not take them for its own, and has another folder for those.
    const [ui, ...fonts] = release;
    const other = [ui, ...fonts.slice(1)] as unknown as ConsoleRelease;
    expect(findConsole(other, parent)).toBeUndefined();
    expect(directoryOf(other, parent)).not.toBe(directory);
  });

  test('replaces the title, the icon and the logo of its makers, says so, and keeps their licence', async () => {
    const directory = await fetchConsole(await publish(), folderInTest());
    const textOf = (path: string) => readFileSync(join(directory, path), 'utf8');
    expect(textOf('index.html')).toContain(
      'href="::faviconPrefix::/icon.svg" type="image/svg+xml" /><title>Feature flags',
    );
    expect(textOf('static/index-1a2b.js')).toMatch(
      /^\/\* Changed by Flagstaff: .*\*\/\na,GE=`Feature flags`,b\(`Feature flags`\),c\(`Feature flags`\)$/,
    );
    expect(textOf('index.html')).toContain('Changed by Flagstaff: ');
    expect(textOf('LICENSE')).toBe('LICENSE of unleash-server');
  });

  test('serves nothing if a package differs from the pinned one, whatever the registry claims', async () => {
    const release = await publish();
    const pinned = [...release.slice(0, -1), consoleRelease.at(-1)] as unknown as ConsoleRelease;
    const parent = folderInTest();
    await expect(fetchConsole(pinned, parent)).rejects.toThrow(
      `its integrity is ${release.at(-1)?.integrity}, not ${pinned.at(-1)?.integrity}. Nothing was unpacked.`,
    );
    expect(readdirSync(parent)).toEqual([]);
  });

  test('says what npm says when it cannot fetch a package, and leaves nothing behind', async () => {
    const [ui, ...fonts] = await publish();
    const parent = folderInTest();
    const fetching = fetchConsole([{ ...ui, version: '0.0.0' }, ...fonts], parent);
    await expect(fetching).rejects.toThrow(
      /^npm cannot fetch unleash-server@0\.0\.0, [^:]*: .*No matching version found/,
    );
    expect(readdirSync(parent)).toEqual([]);
  });
});
