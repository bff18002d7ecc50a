import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { createRequest, type Request } from '../../../lib/request.ts';
import { openStore } from '../../../lib/store/client/open-store.ts';
import { createTable } from '../../../lib/store/client/tables.ts';
import { writeBatch } from '../../../lib/store/raw-items.ts';
import { fillWith, readReleaseStore, recordedReleases } from '../../fixtures/release-store.ts';
import { invoke } from '../../harness/gateway.ts';
import { changesBetween, contentAtRest, contentOf } from '../../harness/items.ts';
import { logWatch } from '../../harness/log-watch.ts';
import { freshTable } from '../../harness/table.ts';
import { folderOfTests } from '../../harness/test-folder.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { startRuntime } from '../local/local-runtime.ts';
import { refusal, runProgram, startCommand, startProgram } from './run-command.ts';

const folder = folderOfTests();
const fileOf = (name: string) => join(folder, name);
const inFolder = (directory: string) => ({ DATA_DIR: directory, DYNAMODB_ENDPOINT: '', TABLE_NAME: '' });

/** A store in which every mutation was carried out, and an example of every read. */
const stored = readReleaseStore(recordedReleases().at(-1) ?? '');

/** Reads of what a backup leaves out, since others could use it. */
const aboutSecrets = new Set([
  ...['getAddon', 'getAddons', 'getOidcSettings'],
  ...['getAllPublicSignupTokens', 'getPublicSignupToken', 'validatePublicSignupToken'],
]);

/** Replies of a store to all reads. */
async function repliesOf({ store }: Request): Promise<Map<string, unknown>> {
  process.env.TABLE_NAME = store.name;
  const replies = new Map<string, unknown>();
  for (const { operationId, headers, ...read } of stored.reads) {
    const { answer } = await invoke({ ...read, headers: { authorization: stored.adminToken, ...headers } });
    // Reads note when a token was seen, and an error has an id of its own.
    const text = answer.text.replace(/"seenAt":"[^"]*"|"id":"[\da-f]{8}-[^"]*"/g, '');
    if (!aboutSecrets.has(operationId)) replies.set(operationId, [answer.status, text]);
  }
  return replies;
}

let source: Request;
const first = fileOf('first.gz');
let kept: Awaited<ReturnType<typeof startCommand>>;
beforeAll(async () => {
  source = await freshTable();
  await fillWith(source, stored);
  // A restore of a backup with an older layout would migrate it.
  await prepareStore(source, { adminTokens: [] });
  kept = await startCommand('backup', ['--to', first]);
});

describe('npm run backup', () => {
  test('keeps a store in one file, and leaves nothing else beside it', () => {
    expect(kept.code).toBe(0);
    expect(kept.stdout).toMatch(/^Saved [\d,]+ items to \S+first\.gz \(SHA-256 of the content: [\da-f]{64}\)\.\n$/);
    expect(readdirSync(folder)).toEqual(['first.gz']);
  });

  test('writes a complete file if several run at once', async () => {
    const same = fileOf('same.gz');
    const outcomes = await Promise.all([startCommand, runProgram].map((run) => run('backup', ['--to', same])));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(readFileSync(same).equals(readFileSync(first))).toBe(true);
  });

  test('that is interrupted while it writes leaves nothing behind', async () => {
    const [here, there] = [fileOf('large'), fileOf('into')];
    mkdirSync(there);
    const { address, close } = await openEmbeddedStore(here);
    const table = createRequest(openStore({ name: 'flagstaff', endpoint: address }));
    await createTable(table);
    for (let sk = 0; sk < 40; sk += 1) {
      await writeBatch(table, [{ pk: 'X', sk: String(sk), text: randomBytes(150_000).toString('hex') }]);
    }
    await close();
    const backup = startProgram('backup', ['--to', join(there, 'kept.gz')], inFolder(here));
    const ended = once(backup, 'close');
    const isWriting = () => readdirSync(there).some((name) => name.startsWith('kept.gz.'));
    while (!isWriting() && backup.exitCode === null) await sleep(1);
    backup.kill('SIGINT');
    await ended;
    expect(backup.signalCode).toBe('SIGINT');
    expect(readdirSync(there)).toEqual([]);
  });

  test('removes the draft of one that was killed long ago, and none that may still be written', async () => {
    const [gone, written, other] = ['kept.gz', 'kept.gz', 'another.gz'].map((name) =>
      fileOf(`${name}.${randomUUID()}`),
    );
    for (const draft of [gone, written, other]) writeFileSync(draft as string, '');
    const hoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1_000);
    for (const draft of [gone, other]) utimesSync(draft as string, hoursAgo, hoursAgo);
    expect(await runProgram('backup', ['--to', fileOf('kept.gz')])).toMatchObject({ code: 0 });
    expect([gone, written, other].map((draft) => existsSync(draft as string))).toEqual([false, true, true]);
  });

  test('keeps no secret that others could use, and says on stderr what has to be set again', async () => {
    const content = gunzipSync(readFileSync(first)).toString();
    const secrets = (await contentOf(source)).flatMap(({ pk, kind, secret, content, parameters }) => [
      ...(secret === undefined || (pk.startsWith('TOKENS#') && kind === 'frontend') ? [] : [String(secret)]),
      ...(content === undefined ? [] : [JSON.parse(String(content)).secret ?? []].flat()),
      ...(parameters === undefined || pk !== 'ADDONS' ? [] : Object.values<string>(JSON.parse(String(parameters)))),
    ]);
    const found = secrets.filter((secret) => content.includes(secret));
    expect(secrets.length).toBeGreaterThan(10);
    expect(found).toEqual(['text/plain']);
    expect(kept.stderr.trim().split('\n')).toEqual(
      expect.arrayContaining([
        'Not in the file: the client secret of OpenID Connect; until you enter it, nobody can sign on with OpenID Connect.',
        'Not in the file: the edge client "edge-1": register it again ("npm run token -- --edge edge-1").',
        'Not in the file: the invitation link "invitation-2": make a new one.',
        'Not in the file: url, authorization of integration 1 (webhook); after a restore it is off until you enter them.',
      ]),
    );
  });

  test('names the option that is missing, and a place that cannot be written', async () => {
    expect(await runProgram('backup', [])).toEqual(refusal('--to is required', 2));
    for (const place of ['/nonexistent/x.gz', folder]) {
      const outcome = await runProgram('backup', ['--to', place]);
      expect(outcome).toEqual(refusal(new RegExp(`^${place} cannot be written: .*\\n$`)));
    }
  });

  test('does not replace the file of a store, which would be lost', async () => {
    const directory = fileOf('own');
    const store = await openEmbeddedStore(directory);
    const request = createRequest(openStore({ name: 'flagstaff', endpoint: store.address }));
    await createTable(request);
    await prepareStore(request, { adminTokens: [makeSecret('admin')] });
    await store.close();
    const file = join(directory, 'flagstaff.db');
    const before = readFileSync(file);
    const outcome = await runProgram('backup', ['--to', file], inFolder(directory));
    expect(outcome).toEqual(refusal(`${file} cannot be written: it is a store`));
    expect(readFileSync(file)).toEqual(before);
  });
});

describe('A store in a folder', () => {
  /** Makes, switches, archives and deletes features without a pause. */
  async function* writings(url: string, token: string, writer: number): AsyncGenerator<void> {
    const headers = { authorization: token, 'content-type': 'application/json' };
    const features = `${url}/api/admin/projects/default/features`;
    const ask = async (method: string, address: string, body?: object) => {
      const answer = await fetch(address, { method, headers, body: JSON.stringify(body) });
      await answer.text();
      expect(answer.status).toBeLessThan(300);
    };
    for (let turn = 0; ; turn += 1) {
      const name = `feature-${writer}-${turn}`;
      await ask('POST', features, { name });
      await ask('POST', `${features}/${name}/environments/development/on`);
      if (turn % 2 === 0) await ask('DELETE', `${features}/${name}`);
      if (turn % 4 === 0) await ask('DELETE', `${url}/api/admin/archive/${name}`);
      yield;
    }
  }

  test('is backed up as of one moment while several processes write, and can be restored to another folder', async () => {
    const [here, there] = [fileOf('here'), fileOf('there')];
    const token = makeSecret('admin');
    logWatch.keepToken(token);
    const server = await startRuntime({ DATA_DIR: here, INIT_ADMIN_API_TOKENS: token });
    let [isKept, turns] = [false, 0];
    const writers = [0, 1, 2].map(async (writer) => {
      for await (const _turn of writings(server.url, token, writer)) {
        turns += 1;
        if (isKept) return;
      }
    });
    while (turns < 30) await sleep(5);
    const before = turns;
    const file = fileOf('busy.gz');
    expect(await startCommand('backup', ['--to', file], inFolder(here))).toMatchObject({ code: 0, stderr: '' });
    expect(turns).toBeGreaterThan(before);
    isKept = true;
    await Promise.all(writers);
    expect(await runProgram('restore', ['--from', file, '--replace'], inFolder(here))).toMatchObject({
      code: 1,
      stderr: `Another process has the store in DATA_DIR "${here}" open: stop "npm start" first.\n`,
    });

    expect(await runProgram('restore', ['--from', file], inFolder(there))).toMatchObject({ code: 0, stderr: '' });
    const again = fileOf('again.gz');
    expect(await runProgram('backup', ['--to', again], inFolder(there))).toMatchObject({ code: 0 });
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
    const { address, close } = await openEmbeddedStore(there);
    const content = await contentOf(createRequest(openStore({ name: 'flagstaff', endpoint: address })));
    await close();
    expect(content.filter(({ pk }) => pk.startsWith('FEATURE#')).length).toBeGreaterThan(10);
    expect(problemsOf(content)).toEqual([]);
  });
});

describe('npm run restore', () => {
  test('creates a store that answers every read like the first one, and whose backup is the same file', async () => {
    const target = await freshTable();
    expect(await startCommand('restore', ['--from', first])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Restored [\d,]+ items, from a backup of release \S+\.\n$/),
      stderr: '',
    });
    expect(problemsOf(await contentOf(target))).toEqual([]);
    const second = fileOf('second.gz');
    await runProgram('backup', ['--to', second]);
    expect(readFileSync(second).equals(readFileSync(first))).toBe(true);
    expect(await repliesOf(target)).toEqual(await repliesOf(source));
  });

  test.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20), /^\S+ is truncated: its end is missing\.\n$/],
    ['something else', () => Buffer.from('{}'), /^\S+ is not a backup of Flagstaff\.\n$/],
  ])('refuses a file that is %s in one sentence, and writes nothing', async (_what, change, sentence) => {
    const bad = fileOf('bad.gz');
    writeFileSync(bad, change(readFileSync(first)));
    const target = await freshTable();
    const outcome = await runProgram('restore', ['--from', bad, '--replace']);
    expect(outcome).toEqual(refusal(sentence));
    expect(await contentOf(target)).toEqual([]);
  });

  test('refuses a store in use in one sentence, unless it may replace it', async () => {
    const target = await freshTable();
    await prepareStore(target, { adminTokens: ['*:*.the-token-of-somebody'] });
    const before = await contentOf(target);
    expect(await runProgram('restore', ['--from', first])).toEqual(refusal(/^This store is in use.*\n$/));
    expect(changesBetween(before, await contentOf(target))).toEqual([]);
    expect((await runProgram('restore', ['--from', first, '--replace'])).code).toBe(0);
    expect(problemsOf(await contentOf(target))).toEqual([]);
  });

  test('killed at any moment, continues when it is run again; until then other commands refuse the store', async () => {
    const whole = await freshTable();
    await runProgram('restore', ['--from', first]);
    const content = await contentOf(whole);
    let killed = 0;
    for (const itemsMin of [0, 600]) {
      const target = await freshTable();
      const restoring = startProgram('restore', ['--from', first]);
      while ((await contentOf(target)).length <= itemsMin) await sleep(10);
      restoring.kill('SIGKILL');
      await once(restoring, 'exit');
      const left = await contentAtRest(target);
      if (left.some(({ sk }) => sk === 'RESTORING')) {
        killed += 1;
        expect(await runProgram('token', ['--list'])).toEqual(refusal(/^A restore into this store.*\n$/));
        expect((await runProgram('restore', ['--from', first])).code).toBe(0);
      }
      // Without the mark it was done before the kill came.
      expect(changesBetween(content, await contentOf(target))).toEqual([]);
    }
    expect(killed).toBeGreaterThan(0);
  });

  test('names the option that is missing, and a file that is not there, for which it makes no store', async () => {
    expect(await runProgram('restore', [])).toEqual(refusal('--from is required', 2));
    const missing = await runProgram('restore', ['--from', fileOf('missing.gz')], inFolder(fileOf('new')));
    expect(missing).toEqual(refusal(/^\S+missing\.gz cannot be read: .*\n$/));
    expect(existsSync(fileOf('new'))).toBe(false);
  });
});
