import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { clientOf } from '../../../infra/commands/migration/source-client.ts';
import * as historyKeys from '../../../lib/history/keys.ts';
import { users } from '../../../lib/identity/users.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { snapshot } from '../../harness/items.ts';
import { listeningInTest } from '../../harness/listening.ts';
import { freePort } from '../../harness/ports.ts';
import { sealNow } from '../../harness/seal-now.ts';
import { folderOfTests } from '../../harness/test-folder.ts';
import { tableForEach } from '../../specifications/specify.ts';
import { refusal, runProgram, startCommand, startProgram } from './run-command.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers as it is told; everything else is not there. */
const serverOf = (answers: Readonly<Record<string, unknown>>, otherwise?: Answer) =>
  listeningInTest((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const body = answers[path.replace('/api/admin/', '')];
    if (typeof body === 'function') return body(request, response);
    if (body === undefined && otherwise !== undefined) return otherwise(request, response);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? { message: 'not here' }));
  });

/** The smallest server that is one: a project with a flag. */
const small = {
  'ui-config': { version: '7.6.5', name: 'Unleash', frontendApiOrigins: ['*'] },
  environments: { environments: [{ name: 'development', type: 'development', sortOrder: 2, enabled: true }] },
  projects: { projects: [{ id: 'default', name: 'Default' }] },
  'projects/default/overview': { name: 'Default', environments: [{ environment: 'development' }] },
  'search/features': { total: 1, features: [{ name: 'checkout', project: 'default' }] },
  'projects/default/features/checkout': {
    name: 'checkout',
    project: 'default',
    createdAt: '2024-01-02T03:04:05.678Z',
    environments: [{ name: 'development', enabled: true, strategies: [{ id: 'one', name: 'default' }] }],
  },
  'search/events': { events: [], total: 0 },
} as const;

const token = { UNLEASH_TOKEN: '*:*.secret' };

const folder = folderOfTests();

const table = tableForEach();
beforeEach(async () => {
  await prepareStore(table, { adminTokens: [] });
});

describe('the migrate command', () => {
  test('shows the plan, writes only after confirmation, and finds nothing to do the second time', async () => {
    const from = await serverOf(small);
    const before = await snapshot(table);
    const asked = await startCommand('migrate', ['--from', from], token);
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('Use --yes.') });
    expect(asked.stdout).toContain('flags: 1 to create (checkout)');
    const planned = await runProgram('migrate', ['--from', from, '--yes', '--plan'], token);
    expect(planned.stdout).toBe(asked.stdout);
    expect(await snapshot(table)).toEqual(before);
    const done = await runProgram('migrate', ['--from', from, '--yes'], token);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('flags: 1 created (checkout)') });
    const after = await snapshot(table);
    const again = await runProgram('migrate', ['--from', from, '--yes'], token);
    expect(again.stdout).toContain('flags: 1 unchanged');
    expect(await snapshot(table)).toEqual(after);
  });

  test('lists everything as JSON, and the reads that the server does not answer', async () => {
    const from = await serverOf(small);
    const { stdout } = await runProgram('migrate', ['--from', from, '--plan', '--json'], token);
    const { version, kinds, missing } = JSON.parse(stdout);
    expect(version).toBe('7.6.5');
    expect(kinds).toContainEqual({
      kind: 'flags',
      created: ['checkout'],
      changed: [],
      unchanged: [],
      refused: [],
      remarks: [],
    });
    expect(missing).toContainEqual({ path: '/api/admin/segments', status: 404, consequence: expect.any(String) });
  });

  test('saves a server in files that only their owner reads, and moves it from there without the network', async () => {
    const tokens = [{ secret: '*:*.of-an-administrator', tokenName: 'admin', type: 'admin' }];
    const from = await serverOf({
      ...{ ...small, segments: { segments: [] }, 'api-tokens': { tokens } },
      'auth/oidc/settings': { enabled: true, clientId: 'x', secret: 'of-the-provider' },
      'invite-link/tokens': { tokens: [{ name: 'all', secret: 'of-a-link', url: 'https://x.example.com/of-a-link' }] },
    });
    const saved = join(folder, 'saved');
    const { code, stdout } = await runProgram('migrate', ['--from', from, '--save', saved], token);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Saved \d+ answers of Unleash 7\.6\.5 in .*: 1 project, 1 flag,/),
    ]);
    expect(await readdir(saved)).toEqual(expect.arrayContaining(['index.json', 'projects.json', 'segments.json']));
    expect((await stat(join(saved, 'projects.json'))).mode & 0o777).toBe(0o600);
    const files = await Promise.all((await readdir(saved)).map((file) => readFile(join(saved, file), 'utf8')));
    expect(files.join()).not.toMatch(/of-an-administrator|of-the-provider|of-a-link/);
    const plans = await Promise.all(
      [from, saved].map((each) => runProgram('migrate', ['--from', each, '--plan'], token)),
    );
    expect(plans[0]?.stdout).toBe(plans[1]?.stdout);
    const twice = await runProgram('migrate', ['--from', from, '--save', saved], token);
    expect(twice).toEqual(refusal('is not empty'));
    await rm(join(saved, 'index.json'));
    const cut = await runProgram('migrate', ['--from', saved, '--plan'], token);
    expect(cut).toEqual(refusal('was interrupted'));
    await writeFile(
      join(saved, 'index.json'),
      JSON.stringify({ format: 1, from, savedAt: '', reads: [{ path: '/', status: 200, file: '../x.json' }] }),
    );
    const foreign = await runProgram('migrate', ['--from', saved, '--plan'], token);
    expect(foreign).toEqual(refusal('was not written by --save'));
  });

  test('seals what an interrupted run has imported, also if nothing is left to move', async () => {
    const event = { id: 1, type: 'tag-type-created', createdBy: 'al', createdAt: '2024-01-02T03:04:05.678Z' };
    const from = await serverOf({ ...small, 'search/events': { events: [event], total: 1 } });
    await sealNow(table);
    await runProgram('migrate', ['--from', from, '--yes'], token);
    const removals = [historyKeys.seal(2), historyKeys.sealLeaves(2)].map((key) => ({ remove: key }));
    await transact(table, removals, undefined);
    expect(await runProgram('verify', [])).toMatchObject({ code: 1 });
    await runProgram('migrate', ['--from', from], token);
    expect(await runProgram('verify', [])).toMatchObject({ code: 0 });
  });

  test('follows the server until Ctrl-C, moves what changes there, and seals events that come late', async () => {
    const event = {
      id: 1,
      type: 'feature-created',
      createdBy: 'al',
      createdAt: '2024-01-02T03:04:05.678Z',
      featureName: 'checkout',
    };
    const answers: Record<string, unknown> = { ...small, 'search/events': { events: [event], total: 1 } };
    const from = await serverOf(answers);
    const child = startProgram('migrate', ['--from', from, '--yes', '--watch'], token);
    const lines: string[] = [];
    const moved = new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        lines.push(text);
        if (lines.join('').includes('flags: 1 changed')) resolve();
      });
    });
    const following = new Promise<void>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => text.includes('Following') && resolve());
    });
    await following;
    const flag = small['projects/default/features/checkout'];
    answers['projects/default/features/checkout'] = { ...flag, description: 'Changed' };
    answers['search/events'] = { events: [{ ...event, id: 2, type: 'feature-metadata-updated' }, event], total: 2 };
    await moved;
    child.kill('SIGINT');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
    expect(lines.join('')).toContain('flags: 1 changed (checkout)');
    expect(await runProgram('verify', [])).toMatchObject({ code: 0 });
  });

  test.each([
    { args: [], problem: '--from is required' },
    { args: ['--from', '--compare'], problem: "Option '--from' needs a value" },
    { args: ['--from', 'nowhere'], problem: '--from must be an address' },
    { args: ['--from', 'http://127.0.0.1:1'], problem: 'UNLEASH_TOKEN is required' },
  ])('called with $args says what is missing, and ends with 2', async ({ args, problem }) => {
    expect(await runProgram('migrate', args)).toEqual(refusal(problem, 2));
  });

  test('says that there is no store before it asks a server for anything', async () => {
    const settings = { DATA_DIR: join(folder, 'none'), DYNAMODB_ENDPOINT: '', TABLE_NAME: '' };
    const outcome = await runProgram('migrate', ['--from', 'http://127.0.0.1:1', '--token', 'any'], settings);
    expect(outcome).toEqual(refusal('There is no store in DATA_DIR'));
  });
});

describe('a source that is no Unleash, or an evil one, ends in one sentence, and nothing is written', () => {
  const endless = (request: IncomingMessage, response: ServerResponse) => {
    const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset'));
    const features = Array.from({ length: 100 }, (_, index) => ({
      name: `f${(offset + index) % 300}`,
      project: 'default',
    }));
    response.end(JSON.stringify({ features }));
  };
  test.each<{ source: string; answers: Readonly<Record<string, unknown>>; otherwise?: Answer; says: RegExp }>([
    { source: 'a web page', answers: {}, otherwise: (_, response) => response.end('<html>'), says: /not JSON/ },
    { source: 'nothing', answers: {}, says: /does not answer as Unleash does/ },
    { source: 'a list', answers: { 'ui-config': [] }, says: /not an object/ },
    { source: 'no version', answers: { 'ui-config': { version: 7 } }, says: /names no version/ },
    {
      source: 'a number of projects',
      answers: { ...small, projects: { projects: 7 } },
      says: /not a list of projects/,
    },
    {
      source: 'projects that are null',
      answers: { ...small, projects: { projects: [null] } },
      says: /not a list of projects/,
    },
    {
      source: 'a depth',
      answers: { 'ui-config': `{"version":${'['.repeat(50_000)}${']'.repeat(50_000)}}` },
      says: /nested/,
    },
    { source: 'half of an answer', answers: { ...small, segments: '{"segments":[' }, says: /not JSON/ },
    { source: 'flags without an end', answers: { ...small, 'search/features': endless }, says: /does not end/ },
    {
      source: 'a way elsewhere',
      answers: {},
      otherwise: (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/api' }).end(),
      says: /redirects to another server/,
    },
    {
      source: 'a circle',
      answers: {},
      otherwise: ({ url = '' }, response) => response.writeHead(307, { location: url }).end(),
      says: /redirects too often/,
    },
    {
      source: 'a refusal',
      answers: {},
      otherwise: (_, response) => response.writeHead(401).end(),
      says: /refuses the token/,
    },
  ])('$source', async ({ answers, otherwise, says }) => {
    const before = await snapshot(table);
    const from = await serverOf(answers, otherwise);
    const outcome = await runProgram('migrate', ['--from', from, '--yes'], token);
    expect(outcome).toEqual(refusal(says));
    expect(outcome.stderr.trim()).not.toContain('\n');
    expect(await snapshot(table)).toEqual(before);
  });

  test.each([
    { names: 'of 10,000 characters', name: 'x'.repeat(10_000) },
    { names: 'that lead elsewhere', name: '../../../etc/passwd' },
    { names: 'that are none', name: 7 },
  ])('flags with names $names are refused by name, and the others come over', async ({ name }) => {
    const features = [...small['search/features'].features, { name, project: 'default' }];
    const from = await serverOf({ ...small, 'search/features': { total: 2, features } });
    const { stdout } = await runProgram('migrate', ['--from', from, '--yes', '--json'], token);
    const kinds = new Map<string, Record<string, unknown>>(
      JSON.parse(stdout).kinds.map((kind: { kind: string }) => [kind.kind, kind]),
    );
    expect(kinds.get('flags')).toMatchObject({ created: ['checkout'] });
    const reason = expect.stringContaining('A name has 1 to 100 characters');
    expect(kinds.get('what is not here')).toMatchObject({ refused: [{ name: expect.any(String), reason }] });
  });

  test('an account that was here keeps its address, by which another person could sign in, and the plan names new Admins', async () => {
    await runProgram('token', ['--user', 'carol', '--role', 'Admin']);
    const named = ['carol', 'mallory'].map((username, index) => ({
      ...{ id: 7 + index, username, email: `evil-${index}@example.com`, rootRole: 1 },
    }));
    const rootRoles = [{ id: 1, name: 'Admin', type: 'root' }];
    const from = await serverOf({ ...small, 'user-admin': { users: named, rootRoles } });
    const { stdout } = await runProgram('migrate', ['--from', from, '--yes'], token);
    expect(stdout).toContain('users: carol: was here before, and keeps its address');
    expect(stdout).toContain('users: mallory: may do everything here from then on');
    const addresses = (await users.list(table)).map(({ username, email }) => [username, email]);
    expect(addresses).toContainEqual(['carol', undefined]);
    expect(addresses).toContainEqual(['mallory', 'evil-1@example.com']);
    expect((await runProgram('migrate', ['--from', from, '--yes'], token)).stdout).not.toContain('mallory');
  });

  test('a name neither controls the terminal nor looks like a line of the plan', async () => {
    const username = 'eve\u001b[2K\u009b1A\nflags: 1 unchanged';
    const from = await serverOf({
      ...small,
      'ui-config': { ...small['ui-config'], version: '7.6.5\u001b[8m' },
      'user-admin': { users: [{ id: 7, username, rootRole: 1 }], rootRoles: [{ id: 1, name: 'Admin', type: 'root' }] },
    });
    const { stdout, stderr } = await runProgram('migrate', ['--from', from, '--plan'], token);
    expect(stdout).toContain('eve');
    expect(stderr).toContain('7.6.5\\u001b[8m');
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u);
    expect(stdout).not.toMatch(/^flags: 1 unchanged/m);
  });

  test.each(['__proto__', 'constructor', 'prototype'])('the key %s changes no object', async (key) => {
    const strategy = `{"id":"one","name":"default","parameters":{"${key}":{"polluted":"yes"}}}`;
    const flag = `{"name":"checkout","${key}":{"polluted":"yes"},"environments":[{"name":"development","strategies":[${strategy}]}]}`;
    const from = await serverOf({ ...small, 'projects/default/features/checkout': flag });
    const { code, stdout } = await runProgram('migrate', ['--from', from, '--plan', '--json'], token);
    expect(code).toBe(0);
    const { refused } = JSON.parse(stdout).kinds.find(({ kind }: { kind: string }) => kind === 'flags');
    expect(refused).toEqual([{ name: 'checkout', reason: expect.stringContaining('Its strategy 1') }]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('the reader of a server', () => {
  const server = (from: string) => ({ service: new URL(from), token: '*:*.secret' });
  const limits = { maxBodyBytes: 1_000_000, maxTotalBytes: 2_000_000, answerMs: 300, pauseMs: 1 };

  test('reads no more of an answer than its limit, whatever is sent', async () => {
    let sent = 0;
    const from = await serverOf({}, (_, response) => {
      const chunk = Buffer.alloc(100_000, ' ');
      const send = () => {
        while (!response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return response.once('drain', send);
        }
      };
      send();
    });
    await expect(clientOf(server(from), limits)('/api/admin/projects')).rejects.toThrow('more than 1000000 bytes');
    expect(sent).toBeLessThan(50_000_000);
  });

  test('reads no more than its limit of all answers together', async () => {
    const from = await serverOf({}, (_, response) => response.end(`"${'x'.repeat(900_000)}"`));
    const get = clientOf(server(from), limits);
    await get('/api/admin/1');
    await get('/api/admin/2');
    await expect(get('/api/admin/3')).rejects.toThrow('the server has sent more than 2000000 bytes');
  });

  test('gives up on a server that answers nothing', async () => {
    const from = await serverOf({}, () => {});
    await expect(clientOf(server(from), limits)('/api/admin/projects')).rejects.toThrow('no answer within 0.3 s');
  });

  test('sends only GET requests, two at once, and retries when the server is busy, no sooner than it asks for', async () => {
    let [running, most, calls] = [0, 0, 0];
    const methods = new Set<string | undefined>();
    const times: number[] = [];
    const from = await serverOf({}, ({ method }, response) => {
      methods.add(method);
      calls += 1;
      if (calls <= 2) times.push(performance.now());
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        if (calls === 1) response.writeHead(429, { 'retry-after': '1' }).end();
        else response.end('{}');
      }, 20);
    });
    // On a busy machine an answer may take longer than the limit of the others, and would be asked for again beside it.
    const get = clientOf(server(from), { ...limits, answerMs: 30_000 });
    expect(await get('/api/admin/first')).toEqual({ status: 200, body: {} });
    const [first = 0, second = 0] = times;
    expect(second - first).toBeGreaterThan(990);
    await Promise.all(Array.from({ length: 10 }, (_, index) => get(`/api/admin/${index}`)));
    expect([most, [...methods]]).toEqual([2, ['GET']]);
  });
});

describe('the migrate command with --compare', () => {
  const sdkToken = {
    ...{ tokenName: 'shop', type: 'client', environment: 'development', projects: ['*'], project: '*' },
    ...{ secret: `*:development.${'a1'.repeat(28)}`, createdAt: '2024-01-02T03:04:05.678Z' },
  };
  const delivering = (enabled: boolean) => ({
    ...small,
    'api-tokens': { tokens: [sdkToken, { ...sdkToken, secret: '*:*.admin', type: 'admin', environment: '*' }] },
    '/api/client/features': { version: 2, features: [{ name: 'checkout', enabled, project: 'default' }] },
  });

  test('passes where SDKs get the same, keeps a report, and writes nothing into the store', async () => {
    const [from, url] = [await serverOf(delivering(true)), await serverOf(delivering(true))];
    const before = await snapshot(table);
    const report = join(folder, 'moved.html');
    const { code, stdout } = await startCommand(
      'migrate',
      ['--from', from, '--compare', '--url', url, '--report', report],
      token,
    );
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^PASS: .* Flags that differ: 0\. Refused tokens: 0 of 1\.$/m),
    });
    expect(await snapshot(table)).toEqual(before);
    const page = await readFile(report, 'utf8');
    expect(page).toContain('SDKs get the same decisions from both servers');
    expect(page).toContain('admin tokens are not imported');
    expect(page).not.toContain(sdkToken.secret);
  });

  test('reads nothing of the server before it knows that this one answers at PORT', async () => {
    const asked: string[] = [];
    const from = await listeningInTest((request, response) => {
      asked.push(String(request.url));
      response.writeHead(404).end();
    });
    const PORT = String(await freePort('127.0.0.1'));
    const outcome = await runProgram('migrate', ['--from', from, '--compare'], { ...token, PORT });
    expect(outcome).toEqual(refusal(`Nothing answers at http://localhost:${PORT} `));
    expect(asked).toEqual([]);
  });

  test('does not replace the file of a store with its report', async () => {
    const url = await serverOf(delivering(true));
    const report = join(folder, 'flagstaff.db');
    await writeFile(report, 'SQLite format 3\0 and so on');
    const outcome = await runProgram('migrate', ['--from', url, '--compare', '--url', url, '--report', report], token);
    expect(outcome).toEqual(refusal(`${report} cannot be written: it is a store`));
    expect(await readFile(report, 'utf8')).toBe('SQLite format 3\0 and so on');
  });

  test('fails if SDKs get another result, and names the flag', async () => {
    const [from, url] = [await serverOf(delivering(true)), await serverOf(delivering(false))];
    const { code, stdout } = await runProgram('migrate', ['--from', from, '--compare', '--url', url], token);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^checkout in development gets another decision in \d+ of \d+ cases, for example for /);
  });

  test.each([
    [['--report', 'moved.html'], '--report needs --compare'],
    [['--compare', '--decisions', 'many'], '--decisions must be a whole number'],
    [['--compare', '--url', 'nowhere'], '--url must be an http or https address'],
    [
      ['--plan', '--from', 'https://me:my-password@example.com'],
      /^--from must not contain a user name(?!.*my-password)/,
    ],
  ])('says of %s that %s', async (args, words) => {
    const from = await serverOf(small);
    expect(await runProgram('migrate', ['--from', from, ...args], token)).toEqual(refusal(words, 2));
  });
});
