import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import { openLocalStore, serve } from '../../../infra/local/serve.ts';
import { readSettings } from '../../../infra/local/settings.ts';
import { Problem } from '../../../infra/problem.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { listeningInTest } from '../../harness/listening.ts';
import { storeEndpoint } from '../../harness/store-endpoint.ts';
import { folderInTest } from '../../harness/test-folder.ts';

// A start prints the lines of a problem and ends with 1, as start.test.ts shows: here is what its parts say.

/** The address of a server that answers nothing but 404, for as long as the test runs. */
const noStore = () => listeningInTest((_request, response) => response.writeHead(404).end('<h1>Not here</h1>'));

/** The lines of the problem that keeps a part from starting. */
async function linesOf(starting: Promise<unknown>): Promise<string[]> {
  const problem = await starting.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(Problem);
  return (problem as Problem).message.split('\n');
}

const linesOfSettings = (variables: Readonly<Record<string, string>>) =>
  linesOf((async () => readSettings(variables))());

test('every invalid setting is reported on its own line, without the secrets in it', async () => {
  const lines = await linesOfSettings({
    PORT: 'x',
    STORE_DURABILITY: 'never',
    TABLE_NAME: 'a b',
    DYNAMODB_ENDPOINT: 'nowhere',
    INIT_ADMIN_API_TOKENS: `${makeSecret('admin')},the-secret`,
    FRONTEND_API_ORIGINS: 'shop.example.com',
    LOG_LEVEL: 'LOUD',
    BODY_LIMIT_BYTES: '0',
    IMPORT_BODY_LIMIT_BYTES: '1e9',
    PROJECT_FEATURES_LIMIT: '0',
    API_TOKENS_LIMIT: 'many',
    TRUSTED_PROXIES: 'all',
  });
  expect(lines.map((line) => line.split(' ', 1)[0]).toSorted()).toEqual([
    'API_TOKENS_LIMIT',
    'BODY_LIMIT_BYTES',
    'DYNAMODB_ENDPOINT',
    'FRONTEND_API_ORIGINS',
    'IMPORT_BODY_LIMIT_BYTES',
    'INIT_ADMIN_API_TOKENS',
    'LOG_LEVEL',
    'PORT',
    'PROJECT_FEATURES_LIMIT',
    'STORE_DURABILITY',
    'TABLE_NAME',
    'TRUSTED_PROXIES',
  ]);
  expect(lines.join()).not.toContain('the-secret');
});

test('an admin token that can be guessed is reported without showing it', async () => {
  const lines = await linesOfSettings({ INIT_ADMIN_API_TOKENS: '*:*.0123456789abcdef' });
  expect(lines).toEqual([
    expect.stringMatching(/^INIT_ADMIN_API_TOKENS must .* 128 random bits: .*"openssl rand -hex 16"/),
  ]);
  expect(lines.join()).not.toContain('0123456789abcdef');
});

test('a folder that cannot be written to is reported, and no new folder is left behind', async () => {
  const directory = folderInTest();
  await writeFile(join(directory, 'file'), '');
  const places = ['file', 'file/data', 'long/'.repeat(100)].map((path) => join(directory, path));
  for (const path of [...places, '/proc/flagstaff/data']) {
    expect(await linesOf(openEmbeddedStore(path))).toEqual([
      expect.stringMatching(/^The store in DATA_DIR ".*" cannot be opened: /),
    ]);
  }
  expect(await readdir(directory, { recursive: true })).toEqual(['file']);
});

test('a read-only store is reported, and no files are left next to it', async () => {
  const directory = folderInTest();
  // Not even an administrator may write to this one.
  await symlink('/proc/sys/kernel/ostype', join(directory, 'flagstaff.db'));
  expect(await linesOf(openEmbeddedStore(directory))).toEqual([expect.stringMatching(/cannot be opened: E[A-Z]+: /)]);
  expect(await readdir(directory)).toEqual(['flagstaff.db']);
});

test('SDK tokens for unknown projects are reported by their settings, without showing them', async () => {
  const settings = readSettings({
    TABLE_NAME: 'without-lost',
    INIT_CLIENT_API_TOKENS: 'lost:nowhere.7c3f5e1b9d2a4f60817c3f5e1b9d2a4f',
    INIT_FRONTEND_API_TOKENS: '*:development.public',
  });
  const which = 'INIT_CLIENT_API_TOKENS or INIT_FRONTEND_API_TOKENS has a token that cannot be added';
  expect(await linesOf(openLocalStore(settings, storeEndpoint()))).toEqual([
    `${which}: There is no environment "nowhere".`,
    `${which}: There is no project "lost".`,
  ]);
});

test('a PORT in use is reported', async () => {
  const { port } = new URL(await noStore());
  expect(await linesOf(serve(readSettings({ PORT: port })))).toEqual([
    expect.stringMatching(`^PORT ${port} .* is in use`),
  ]);
});

test('a HOST of another machine is reported', async () => {
  expect(await linesOf(serve(readSettings({ PORT: '0', HOST: '192.0.2.1' })))).toEqual([
    expect.stringMatching(/^HOST 192\.0\.2\.1 with PORT/),
  ]);
});

test('a store file that is not a store, or of a newer version, is reported', async () => {
  for (const name of ['flagstaff.db', 'store.db']) {
    const directory = folderInTest();
    await writeFile(join(directory, name), 'something else '.repeat(100));
    expect(await linesOf(openEmbeddedStore(directory))).toEqual([
      expect.stringMatching(
        /^The store in DATA_DIR ".*" cannot be opened: file is not a database(: move .*flagstaff\.db away|$)/,
      ),
    ]);
  }
  const directory = folderInTest();
  await (await openEmbeddedStore(directory)).close();
  const database = new DatabaseSync(join(directory, 'flagstaff.db'));
  database.exec('PRAGMA user_version = 1000');
  database.close();
  expect(await linesOf(openEmbeddedStore(directory))).toEqual([expect.stringMatching(/a newer version of Flagstaff/)]);
});

test.each(['CREATE TABLE items (a)', 'PRAGMA user_version = 1', 'CREATE TABLE a (b); PRAGMA user_version = 2'])(
  'the database of another application is refused, and stays as it is: %s',
  async (made) => {
    const directory = folderInTest();
    for (const name of ['flagstaff.db', 'store.db']) {
      const file = join(directory, name);
      const other = new DatabaseSync(file);
      other.exec(made);
      other.close();
      const before = await readFile(file);
      expect(await linesOf(openEmbeddedStore(directory))).toEqual([
        expect.stringMatching(`cannot be opened: ${name} .*another application`),
      ]);
      expect(await readFile(file)).toEqual(before);
      await rm(file);
    }
  },
);

test('a store that cannot be reached, or an invalid address, is reported', async () => {
  for (const endpoint of ['http://127.0.0.1:1', await noStore()]) {
    expect(await linesOf(openLocalStore(readSettings({}), endpoint))).toEqual([
      expect.stringMatching(/^The store at .* cannot be used/),
    ]);
  }
});

test('an invalid seed file is reported with a line for each of its problems', async () => {
  const file = join(folderInTest(), 'seed.json');
  const segments = [{ name: 'some', project: 'nowhere' }];
  await writeFile(file, JSON.stringify({ environments: [{ name: 5 }], projects: 'none', segments }));
  const settings = readSettings({ SEED_FILE: file, TABLE_NAME: 'never-seeded' });
  expect(await linesOf(openLocalStore(settings, storeEndpoint()))).toEqual(
    ['environments.0.name', 'projects', 'segments.0.project'].map((place) =>
      expect.stringContaining(`SEED_FILE ${file}: ${place}: `),
    ),
  );
});

test('secrets can be in files, whose problems are each reported on a line without the secret', async () => {
  const directory = folderInTest();
  const write = async (name: string, text: string) => {
    await writeFile(join(directory, name), text);
    return join(directory, name);
  };
  const token = makeSecret('admin');
  const [password, tokens, empty] = [
    await write('password', 'correct horse\n'),
    await write('tokens', token),
    await write('empty', '\n'),
  ];
  expect(readSettings({ INIT_ADMIN_PASSWORD_FILE: password, INIT_ADMIN_API_TOKENS_FILE: tokens })).toMatchObject({
    adminPassword: 'correct horse',
    adminTokens: [token],
  });
  const problems = { INIT_ADMIN_PASSWORD: 'own', INIT_ADMIN_PASSWORD_FILE: password, EMAIL_PASSWORD_FILE: empty };
  expect(await linesOfSettings({ ...problems, SMTP_URL_FILE: join(directory, 'missing') })).toEqual([
    'INIT_ADMIN_PASSWORD and INIT_ADMIN_PASSWORD_FILE cannot both be set.',
    expect.stringMatching(/^SMTP_URL_FILE .*missing cannot be read: ENOENT/),
    expect.stringMatching(/^EMAIL_PASSWORD_FILE .*empty is empty\.$/),
  ]);
});
