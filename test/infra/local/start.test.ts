import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { readSettings } from '../../../infra/local/settings.ts';
import { version } from '../../../lib/http/version.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { listeningInTest } from '../../harness/listening.ts';
import { storeEndpoint } from '../../harness/store-endpoint.ts';
import { folderInTest, folderOfTests } from '../../harness/test-folder.ts';
import { runToEnd, sharedRuntime, startRuntime } from './local-runtime.ts';

const [first, second] = [makeSecret('admin'), makeSecret('admin')];
const anyRead = '/api/admin/environments';

const ofSdk = () => makeSecret({ projects: ['*'], environment: 'production' });
const [client, backend, frontend] = [ofSdk(), ofSdk(), ofSdk()];

/** Nothing changes them: one without secrets, on a store of another process, and one with all that there may be. */
const [TABLE_NAME, unused] = [`another-${randomUUID()}`, folderOfTests()];
const plain = sharedRuntime({ DYNAMODB_ENDPOINT: storeEndpoint(), TABLE_NAME, DATA_DIR: unused });
const withSecrets = sharedRuntime({
  HOST: '0.0.0.0',
  INIT_ADMIN_API_TOKENS: `${first}, ${second}`,
  INIT_ADMIN_PASSWORD: 'Correct-horse-7',
  INIT_CLIENT_API_TOKENS: client,
  INIT_BACKEND_API_TOKENS: backend,
  INIT_FRONTEND_API_TOKENS: frontend,
  FLAGSTAFF_COMMIT: '0c1b1b78',
});

const signIn = (url: string, password: string) =>
  fetch(`${url}/auth/simple/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });

describe('a start', () => {
  test('tells the build that runs: in a line and to the admin UI', async () => {
    const { printed, ask } = await withSecrets();
    const build = `${version}+0c1b1b78`;
    expect(printed).toContain(`Flagstaff ${build} serves `);
    const { versionInfo } = await (await ask('/api/admin/ui-config', first)).json();
    expect(versionInfo.current).toEqual({ oss: build, enterprise: build });
  });

  test('without tokens warns of the insecure one', async () => {
    const { printed } = await plain();
    const [warning, token] = printed.split('\n');
    expect(warning).toMatch(/^WARNING: .* insecure/);
    expect(token?.trim()).toBe(insecureLocalToken);
    expect(printed).not.toContain('beyond this machine');
  });

  test('with tokens adds each of them, prints none, has no insecure one, and needs no warning wherever it listens', async () => {
    const { printed, status } = await withSecrets();
    expect(printed).not.toMatch(/WARNING|insecure|\*:\*/);
    expect(await status(anyRead, first)).toBe(200);
    expect(await status(anyRead, second)).toBe(200);
    expect(await status(anyRead, insecureLocalToken)).toBe(401);
  });

  test('prints the password of the first administrator, which lets them in', async () => {
    const { printed, url } = await plain();
    const [, password = ''] = /^The user admin has the password (\S+), /m.exec(printed) ?? [];
    expect((await signIn(url, password)).status).toBe(200);
  });

  test('takes the password of the first administrator from INIT_ADMIN_PASSWORD, and does not print it', async () => {
    const { printed, url } = await withSecrets();
    expect(printed).not.toMatch(/has the password|Correct-horse/);
    const answer = await signIn(url, 'Correct-horse-7');
    expect(answer.status).toBe(200);
    const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
    const whoIs = await fetch(`${url}/api/admin/user`, { headers: { cookie } });
    expect(await whoIs.json()).toMatchObject({ user: { username: 'admin' }, permissions: [{ permission: 'ADMIN' }] });
  });

  test('with tokens of SDKs adds each of them, and prints none', async () => {
    const { printed, status } = await withSecrets();
    expect(printed).not.toContain(':production.');
    expect(await status('/api/client/missing', client)).toBe(404);
    expect(await status('/api/client/missing', backend)).toBe(404);
    expect(await status('/api/frontend/missing', frontend)).toBe(404);
  });

  test.each([
    ...['x', 'first', 'a'.repeat(64), makeSecret('admin').slice(4, 35)].map((secret) => [
      'INIT_ADMIN_API_TOKENS',
      `*:*.${secret}`,
    ]),
    ['INIT_CLIENT_API_TOKENS', 'no environment in it'],
    ['INIT_CLIENT_API_TOKENS', '[]:development.7c3f5e1b9d2a4f60817c3f5e1b9d2a4f'],
    ['INIT_CLIENT_API_TOKENS', '*:development.easily-guessed'],
    ['INIT_FRONTEND_API_TOKENS', '*:*.7c3f5e1b9d2a4f60817c3f5e1b9d2a4f'],
    ['READABLE_CLIENT_TOKENS', 'perhaps'],
    ['EMAIL_SENDER', 'Flags <flags@example.com>'],
    ['EMAIL_SENDER', 'nobody'],
  ])('says that %s cannot be "%s"', (variable = '', value = '') => {
    expect(() => readSettings({ [variable]: value })).toThrow(`${variable} must be`);
  });

  test('uses the store that DYNAMODB_ENDPOINT names, and leaves the folder alone', async () => {
    const { printed, status } = await plain();
    expect(printed).toContain(`The store is ${storeEndpoint()}, named by DYNAMODB_ENDPOINT, table ${TABLE_NAME}.`);
    expect(await status(anyRead, insecureLocalToken)).toBe(200);
    expect(await readdir(unused)).toEqual([]);
  });

  test('where others can reach it says that PUBLIC_URL is missing, and then no link is made', async () => {
    const { printed, ask } = await withSecrets();
    expect(printed).toMatch(/^PUBLIC_URL is not set/m);
    const reset = await ask('/api/admin/user-admin/reset-password', first, { id: 'admin' });
    expect({ status: reset.status, text: await reset.text() }).toEqual({
      status: 503,
      text: expect.stringContaining('PUBLIC_URL'),
    });
  });
});

describe('a start in a folder', () => {
  const directory = folderOfTests();
  const DATA_DIR = join(directory, 'data');
  const SEED_FILE = join(directory, 'seed.json');
  writeFileSync(SEED_FILE, JSON.stringify({ environments: [{ name: 'seeded', type: 'test' }], tagtypes: [] }));
  const inFolder = sharedRuntime({ SEED_FILE, DATA_DIR });

  test('prints the address, the store, and a curl line that works as it stands', async () => {
    const { printed, url } = await inFolder();
    expect(printed).toContain(`serves http://localhost:${new URL(url).port}\n`);
    expect(printed).toContain(`The store is ${join(DATA_DIR, 'flagstaff.db')}, table flagstaff.\n`);
    const [, authorization = '', address = ''] = /curl -H 'Authorization: (\S+)' (\S+)/.exec(printed) ?? [];
    expect((await fetch(address, { headers: { authorization } })).status).toBe(200);
  });

  test('is one of several: each serves what the others have changed, and one that ends leaves the others alone', async () => {
    const [first, second] = await Promise.all([inFolder(), startRuntime({ DATA_DIR })]);
    const features = '/api/admin/projects/default/features';
    const made = await Promise.all(
      [first, second].flatMap(({ ask }) =>
        ['one', 'two', 'three', 'four'].map((name) => ask(features, insecureLocalToken, { name })),
      ),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 409, 409, 409, 409]);
    for (const { ask } of [first, second]) {
      const answer = await ask(features, insecureLocalToken);
      expect((await answer.json()).features).toHaveLength(4);
    }
    second.signal('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0, problems: [] });
    expect(await first.status(anyRead, insecureLocalToken)).toBe(200);
  });

  test('loads the seed file into an empty store only, and says which members it leaves out', async () => {
    const first = await inFolder();
    const answer = await first.ask(anyRead, insecureLocalToken);
    expect(await answer.text()).toContain('"seeded"');
    expect(first.printed).toContain(`SEED_FILE ${SEED_FILE}: the member "tagtypes" is unknown and was ignored.\n`);
    first.signal('SIGTERM');
    await first.ended;
    const second = await startRuntime({ SEED_FILE, DATA_DIR });
    expect(second.printed).toMatch(/not empty, so SEED_FILE is ignored/);
  });
});

// problems.test.ts tests the other messages.
describe('a start that fails ends with 1 and a line that says why:', () => {
  test('a table at AWS that nobody has deployed, and creates none', async () => {
    const asked: unknown[] = [];
    const { port } = new URL(
      await listeningInTest((request, response) => {
        asked.push(request.headers['x-amz-target']);
        const type = 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException';
        response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
        response.end(JSON.stringify({ __type: type, message: 'Requested resource not found' }));
      }),
    );
    // Requests to Amazon arrive here.
    const lookUpHere = `import dns from 'node:dns'; const { lookup } = dns; dns.lookup = (_name, ...rest) => lookup('127.0.0.1', ...rest);`;
    const { code, problems } = await runToEnd({
      DYNAMODB_ENDPOINT: `http://dynamodb.eu-west-1.amazonaws.com:${port}`,
      TABLE_NAME: 'flagstafff',
      NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(lookUpHere)}"`,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
    });
    expect({ code, problems }).toEqual({
      code: 1,
      problems: [expect.stringMatching(/^The store at .* cannot be used: there is no table "flagstafff"; /)],
    });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked).not.toContain('DynamoDB_20120810.CreateTable');
  });

  test('a seed file that is not there, and leaves no folder behind that it created', async () => {
    const directory = folderInTest();
    await mkdir(join(directory, 'kept'));
    const DATA_DIR = join(directory, 'kept', 'fresh', 'data');
    const { code, problems } = await runToEnd({ DATA_DIR, SEED_FILE: '/nowhere.json' });
    expect({ code, problems }).toEqual({ code: 1, problems: [expect.stringMatching(/^SEED_FILE .* cannot be read/)] });
    expect(await readdir(directory, { recursive: true })).toEqual(['kept']);
  });

  test('a busy port, and gives the first administrator no password that nobody gets to see', async () => {
    const DATA_DIR = folderInTest();
    const { url } = await plain();
    const { code, problems } = await runToEnd({ DATA_DIR, PORT: new URL(url).port });
    expect({ code, problems }).toEqual({ code: 1, problems: [expect.stringMatching(/^PORT \d+ .* is in use/)] });
    expect((await startRuntime({ DATA_DIR })).printed).toContain('The user admin has the password ');
  });
});
