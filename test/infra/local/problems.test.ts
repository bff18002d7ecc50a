import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import { openLocalStore, serve } from '../../../infra/local/serve.ts';
import { readSettings } from '../../../infra/local/settings.ts';
import { openGate } from '../../../infra/local/store-gate.ts';
import { Problem } from '../../../infra/problem.ts';
import { storeEndpoint } from '../../harness/store-endpoint.ts';
import { temporaryDirectory } from './local-runtime.ts';

// A start prints the lines of a problem and ends with 1, as start.test.ts shows: here is what its parts say.

/** The address of a server that answers nothing but 404, for as long as the test runs. */
async function noStore(): Promise<string> {
  const server: Server = createServer((_request, response) => response.writeHead(404).end('<h1>Not here</h1>'));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The lines of the problem that keeps a part from starting. */
async function linesOf(starting: Promise<unknown>): Promise<string[]> {
  const problem = await starting.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(Problem);
  return (problem as Problem).message.split('\n');
}

test('a busy PORT is said', async () => {
  const { port } = new URL(await noStore());
  expect(await linesOf(serve(readSettings({ PORT: port })))).toEqual([
    expect.stringMatching(`^PORT ${port} .* is in use`),
  ]);
});

test('a HOST that is not of this machine is said', async () => {
  expect(await linesOf(serve(readSettings({ PORT: '0', HOST: '192.0.2.1' })))).toEqual([
    expect.stringMatching(/^HOST 192\.0\.2\.1 with PORT/),
  ]);
});

test('a busy STORE_PORT is said', async () => {
  const { port } = new URL(await noStore());
  expect(await linesOf(openGate(Number(port), { answer: async () => ({ status: 200, body: '{}' }) }))).toEqual([
    expect.stringMatching(`^STORE_PORT ${port} is in use`),
  ]);
});

test('a file of the store that is none, or of a newer version, is said', async () => {
  for (const name of ['flagstaff.db', 'store.db']) {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, name), 'something else '.repeat(100));
    expect(await linesOf(openEmbeddedStore(directory))).toEqual([
      expect.stringMatching(/^The store in DATA_DIR ".*" cannot be opened: file is not a database$/),
    ]);
  }
  const directory = await temporaryDirectory();
  (await openEmbeddedStore(directory)).close();
  const database = new DatabaseSync(join(directory, 'flagstaff.db'));
  database.exec('PRAGMA user_version = 2');
  database.close();
  expect(await linesOf(openEmbeddedStore(directory))).toEqual([expect.stringMatching(/a newer version of Flagstaff/)]);
});

test('a store that cannot be reached, or an address that is none, is said', async () => {
  for (const endpoint of ['http://127.0.0.1:1', await noStore()]) {
    expect(await linesOf(openLocalStore(readSettings({}), endpoint))).toEqual([
      expect.stringMatching(/^The store at .* cannot be used/),
    ]);
  }
});

test('a bad seed file is said with a line for each of its problems, of whatever kind', async () => {
  const file = join(await temporaryDirectory(), 'seed.json');
  const segments = [{ name: 'some', project: 'nowhere' }];
  await writeFile(file, JSON.stringify({ environments: [{ name: 5 }], projects: 'none', segments }));
  const settings = readSettings({ SEED_FILE: file, TABLE_NAME: 'never-seeded' });
  expect(await linesOf(openLocalStore(settings, storeEndpoint()))).toEqual(
    ['environments.0.name', 'projects', 'segments.0.project'].map((place) =>
      expect.stringContaining(`SEED_FILE ${file}: ${place}: `),
    ),
  );
});
