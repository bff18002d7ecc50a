import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fetchConsole } from '../../../infra/console/fetch-console.ts';
import { consoleRelease, findConsole } from '../../../infra/console/release.ts';
import { temporaryDirectory } from '../local/local-runtime.ts';

const files: Readonly<Record<string, string>> = {
  'package/package.json': '{ "name": "unleash-server", "version": "7.6.5" }',
  'package/LICENSE': 'Apache License',
  'package/dist/server.js': 'the server',
  'package/frontend/build/index.html': '<!DOCTYPE html>',
  'package/frontend/build/static/index-1a2b.js': 'the script',
  'package/frontend/build/openapi-static/swagger.js': 'another reference',
};

/** A package of the release's name, with a registry of npm that has nothing else, and that npm is set to. */
async function publish() {
  const directory = await temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  const file = join(directory, 'archive.tgz');
  await create({ gzip: true, cwd: directory, file }, ['package']);
  const archive = readFileSync(file);
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const { name, version } = consoleRelease;
  const server = createServer(({ url, headers }, response) => {
    if (url === `/${name}`) {
      const dist = { tarball: `http://${headers.host}/archive.tgz`, integrity };
      const versions = { [version]: { name, version, dist } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name, versions, 'dist-tags': { latest: version } }));
    } else if (url === '/archive.tgz') response.end(archive);
    else response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  vi.stubEnv('npm_config_cache', join(directory, 'cache'));
  return { integrity };
}

afterEach(() => vi.unstubAllEnvs());

describe('npm run console', () => {
  test('takes the UI and its licence out of the package of the registry that npm is set to, and nothing else', async () => {
    const { integrity } = await publish();
    const release = { ...consoleRelease, integrity };
    const parent = join(await temporaryDirectory(), 'consoles');
    const directory = await fetchConsole(release, parent);
    expect(findConsole(release, parent)).toBe(directory);
    expect(readdirSync(directory, { recursive: true }).toSorted()).toEqual([
      'LICENSE',
      'index.html',
      'static',
      join('static', 'index-1a2b.js'),
    ]);
    expect(readFileSync(join(directory, 'static/index-1a2b.js'), 'utf8')).toBe('the script');
    expect(readdirSync(parent)).toHaveLength(1);
    // Two commands at once end with the same files.
    expect(await fetchConsole(release, parent)).toBe(directory);
  });

  test('unpacks nothing of a package that is not the pinned one, whatever the registry says of it', async () => {
    const { integrity } = await publish();
    const parent = await temporaryDirectory();
    await expect(fetchConsole(consoleRelease, parent)).rejects.toThrow(
      `its integrity is ${integrity}, not ${consoleRelease.integrity}. Nothing was unpacked.`,
    );
    expect(readdirSync(parent)).toEqual([]);
  });

  test('says what npm says when it cannot fetch the package, and leaves nothing behind', async () => {
    await publish();
    const parent = await temporaryDirectory();
    const fetching = fetchConsole({ ...consoleRelease, version: '0.0.0' }, parent);
    await expect(fetching).rejects.toThrow(/^npm cannot fetch unleash-server@0\.0\.0: .*No matching version found/);
    expect(readdirSync(parent)).toEqual([]);
  });
});
