import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { signCheckpoint } from '../../../lib/history/checkpoint.ts';
import type { Seal } from '../../../lib/history/seal.ts';
import { sealAllEvents } from '../../../lib/history/seal-events.ts';
import { createCheckpointKey, openPrivateKey } from '../../../lib/history/signers/sign-by-private-key.ts';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { fillWith, readReleaseStore, recordedReleases } from '../../fixtures/release-store.ts';
import { addFeatures } from '../../harness/features.ts';
import type { Item } from '../../harness/items.ts';
import { serviceOn } from '../../harness/service.ts';
import { freshTable } from '../../harness/table.ts';
import {
  addEvent,
  addFalseList,
  addOldEvent,
  alterEvent,
  computeAllAgain,
  removeEvent,
  sealOnceMore,
  swapEvents,
} from '../../harness/tampering.ts';
import { folderOfTests } from '../../harness/test-folder.ts';
import { refusal, runProgram, startCommand } from './run-command.ts';

const folder = folderOfTests();
const fileOf = (name: string) => join(folder, name);

/** Reads the items of a backup. */
const itemsIn = (file: string): Item[] =>
  linesIn(file)
    .slice(1, -1)
    .map((line) => JSON.parse(line));
const linesIn = (file: string) => gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');

/** Writes other items as a backup whose checksum is right. */
function writeItems(name: string, like: string, items: readonly Item[], isHonest = true): string {
  const lines = [linesIn(like)[0], ...items.map((item) => JSON.stringify(item))].map((line) => `${line}\n`).join('');
  const sha256 = createHash('sha256')
    .update(isHonest ? lines : '')
    .digest('hex');
  const file = fileOf(name);
  writeFileSync(file, gzipSync(`${lines}${JSON.stringify({ items: items.length, sha256 })}\n`));
  return file;
}

/** A backup of a store that release 0.6 filled, and this release after it. */
const backup = fileOf('whole.gz');
const kept = fileOf('kept.json');
const file = (name: string) => ['--file', name];
let target: Item;

const verifier = fileURLToPath(new URL('../../../lib/history/verifier.mjs', import.meta.url));

/** Runs the verifier of one file, which shares no code with the command, and needs nothing but Node. */
function runVerifier(...files: string[]) {
  const { status, stdout } = spawnSync(process.execPath, [verifier, ...files], { encoding: 'utf8', env: {} });
  return { code: status, stdout };
}

beforeAll(async () => {
  const table = await freshTable();
  await fillWith(table, readReleaseStore(recordedReleases().at(-1) ?? ''));
  await prepareStore(table, { adminTokens: [] });
  await sealAllEvents(table, new Date(Date.now() + 180_000));
  const service = await serviceOn(table);
  await addFeatures(service, ['verified']);
  await service.put('/api/admin/projects/default/features/verified', { description: 'New' });
  await sealAllEvents(table, new Date(Date.now() + 180_000));
  expect(await runProgram('backup', ['--to', backup])).toMatchObject({ code: 0 });
  target = itemsIn(backup).find(({ pk }) => pk === 'FEATURE#verified#EVENTS') as Item;
});

describe('npm run verify', () => {
  test('finds nothing wrong with a store of an older release, and says what it cannot know', async () => {
    const { code, stdout, stderr } = await startCommand('verify', ['--keep', kept]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^Not known: .* have no link/m);
    expect(stdout).toMatch(/\nPASS: nothing is wrong with \d+ events of \d+ features and of the service, 2 seals\.\n$/);
    expect(code).toBe(0);
    expect(await runProgram('verify', [...file(backup), '--checkpoint', kept])).toMatchObject({ code: 0 });
  });

  test('names an altered event of a backup, in words and as JSON', async () => {
    const altered = writeItems('altered.gz', backup, alterEvent(itemsIn(backup), target));
    const { code, stdout } = await runProgram('verify', file(altered));
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^event ${Number(target.sk)}, feature verified, \\S+: it was altered`, 'm'));
    expect(stdout).toMatch(/\nFAIL: 1 problem with/);
    const asJson = await runProgram('verify', [...file(altered), '--json']);
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout).findings).toEqual([
      { event: Number(target.sk), feature: 'verified', at: expect.any(String), problem: expect.any(String) },
    ]);
  });

  test('names it if all later hashes were computed again, with the checkpoint that it has kept', async () => {
    const hidden = writeItems('hidden.gz', backup, computeAllAgain(alterEvent(itemsIn(backup), target)));
    expect(await runProgram('verify', file(hidden))).toMatchObject({ code: 0 });
    const { code, stdout } = await runProgram('verify', [...file(hidden), '--checkpoint', kept]);
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^event ${Number(target.sk)}, feature verified, \\S+: it was altered`, 'm'));
  });

  test('keeps no checkpoint of a history without a seal, and says what nothing protects until there is one', async () => {
    const items = itemsIn(backup).filter(({ pk }) => !/^(?:SEALS?|CHECKPOINTS)(?:#|$)/.test(pk));
    const unsealed = writeItems('unsealed.gz', backup, items);
    const { code, stdout } = await runProgram('verify', file(unsealed));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Not known: Nothing protects \d+ events until a seal lists them, since they have no link/m);
    expect(await runProgram('verify', [...file(unsealed), '--keep', fileOf('none.json')])).toEqual(
      refusal('There is no seal yet', 2),
    );
  });

  test('does not end as for an altered event where there is no store', async () => {
    const settings = { DYNAMODB_ENDPOINT: '', DATA_DIR: fileOf('nowhere') };
    expect(await runProgram('verify', [], settings)).toEqual(refusal('There is no store in DATA_DIR', 2));
  });

  test('names events of a backup whose checksum is wrong, and refuses a file that it cannot read', async () => {
    const altered = writeItems('dishonest.gz', backup, alterEvent(itemsIn(backup), target), false);
    const { code, stdout } = await runProgram('verify', file(altered));
    expect(code).toBe(1);
    expect(stdout).toMatch(/its checksum is wrong/);
    expect(stdout).toMatch(new RegExp(`^event ${Number(target.sk)}`, 'm'));
    writeFileSync(fileOf('half.gz'), readFileSync(backup).subarray(0, 1_000));
    expect(await runProgram('verify', file(fileOf('half.gz')))).toEqual(refusal('is truncated', 2));
    expect(await runProgram('verify', file(fileOf('none.gz')))).toEqual(refusal('none.gz\'. "npm run verify', 2));
    expect(await runProgram('verify', [...file(backup), '--checkpoint', backup])).toEqual(
      refusal('is not a checkpoint', 2),
    );
    expect(await runProgram('verify', [...file(backup), '--key', kept])).toEqual(refusal('not a public key', 2));
  });
});

describe('A folder of signed checkpoints, as one gets it from a bucket', () => {
  const signer = openPrivateKey(createCheckpointKey());
  const key = fileOf('public.pem');
  const folderOf = (name: string) => fileOf(`${name}-bucket`);

  /** Writes a checkpoint as the clock puts it into a bucket. */
  async function keepIn(name: string, seal: Parameters<typeof signCheckpoint>[0]): Promise<void> {
    const inBucket = join(folderOf(name), 'checkpoints');
    mkdirSync(inBucket, { recursive: true });
    const file = `${String(seal.number).padStart(16, '0')}-${seal.hash}.json`;
    writeFileSync(join(inBucket, file), `${JSON.stringify(await signCheckpoint(seal, signer))}\n`);
  }

  beforeAll(async () => {
    writeFileSync(key, signer.publicKey);
    const seals = itemsIn(backup).flatMap(({ pk, sk, ...seal }) =>
      pk === 'SEALS' ? [{ ...(seal as unknown as Seal), number: Number(sk) }] : [],
    );
    for (const seal of seals) await keepIn('whole', seal);
    for (const seal of seals) await keepIn('other', seal.number === 1 ? seal : { ...seal, hash: 'another' });
    for (const name of ['whole', 'other']) cpSync(folderOf(name), folderOf('restored'), { recursive: true });
    mkdirSync(folderOf('empty'));
  });

  test('is taken by the command and by the verifier, with the key', async () => {
    const whole = folderOf('whole');
    const { code, stdout } = await runProgram('verify', [...file(backup), '--checkpoint', whole, '--key', key]);
    expect(stdout).not.toContain('No checkpoint');
    expect(code).toBe(0);
    expect(runVerifier(backup, whole, '--key', key)).toMatchObject({ code: 0 });
    const unverified = 'The signatures of 2 checkpoints were not verified: use --key.';
    expect((await runProgram('verify', [...file(backup), '--checkpoint', whole])).stdout).toContain(unverified);
    expect(stdout).not.toContain('signatures');
    expect(runVerifier(backup, whole).stdout).toContain(unverified);
  });

  test('shows that the history was rewritten after one of them', async () => {
    const other = folderOf('other');
    const { code, stdout } = await runProgram('verify', [...file(backup), '--checkpoint', other, '--key', key]);
    expect(stdout).toContain('the history was rewritten: an event in seal 2 is not what the checkpoint');
    expect(code).toBe(1);
    const verified = runVerifier(backup, other, '--key', key);
    expect(verified).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('was rewritten before the checkpoint 2'),
    });
  });

  test('names a checkpoint whose seal another one confirms, as after the restore of a backup', async () => {
    const both = folderOf('restored');
    const { code, stdout } = await runProgram('verify', [...file(backup), '--checkpoint', both, '--key', key]);
    const problem = 'checkpoints have different hashes of seal 2: the history was rewritten, or restored from a backup';
    expect(stdout).toContain(problem);
    expect(stdout).not.toContain('No checkpoint');
    expect(code).toBe(1);
    expect(runVerifier(backup, both, '--key', key)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(problem),
    });
  });

  test('is refused if it is empty, since that would verify nothing', async () => {
    const empty = folderOf('empty');
    expect(await runProgram('verify', [...file(backup), '--checkpoint', empty])).toEqual(
      refusal('has no checkpoint', 2),
    );
    expect(runVerifier(backup, empty)).toMatchObject({ code: 2 });
  });
});

describe('The verifier of one file', () => {
  test('finds nothing wrong with what nobody touched', () => {
    expect(runVerifier(backup)).toMatchObject({ code: 0, stdout: expect.stringContaining('Without a checkpoint') });
    expect(runVerifier(backup, kept)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('OK: nothing is wrong'),
    });
  });

  test('names events that were altered, removed, added or exchanged', () => {
    const items = itemsIn(backup);
    const other = items.find(({ pk, sk }) => pk === target.pk && sk !== target.sk) as Item;
    const cases = {
      altered: alterEvent(items, target),
      removed: removeEvent(items, target),
      added: addEvent(items, target, Number(target.sk) + 1),
      exchanged: swapEvents(items, target, other),
    };
    const idOf = { added: Number(target.sk) + 1 } as Record<string, number>;
    for (const [name, content] of Object.entries(cases)) {
      const { code, stdout } = runVerifier(writeItems(`${name}-1.gz`, backup, content));
      expect(code, name).toBe(1);
      expect(stdout, name).toMatch(new RegExp(`Event ${idOf[name] ?? Number(target.sk)}\\b`));
    }
  });

  test('finds nothing wrong with a new event from before the last seal, whose writer had a late clock', () => {
    const last = itemsIn(backup).findLast(({ pk }) => pk.startsWith('EVENTS#')) as Item;
    const late = addEvent(itemsIn(backup), last, Number(last.sk) + 500_000, false);
    expect(runVerifier(writeItems('late-1.gz', backup, late)).code).toBe(0);
  });

  test('names one that no seal lists and that was altered without its link, or put into another month', () => {
    const items = itemsIn(backup).filter(({ pk }) => !/^SEALS?(#|$)/.test(pk));
    const last = items.findLast(({ pk }) => pk === target.pk) as Item;
    const { link: _link, ...unlinked } = last;
    const altered = [...alterEvent([unlinked], unlinked), ...removeEvent(items, last)];
    const { code, stdout } = runVerifier(writeItems('unlinked-1.gz', backup, altered));
    expect([code, stdout]).toEqual([1, expect.stringContaining('Feature verified: its last event was altered')]);
    const ofService = items.findLast(({ pk }) => pk.startsWith('EVENTS#')) as Item;
    const moved = [{ ...ofService, pk: 'EVENTS#2020-01' }, ...removeEvent(items, ofService)];
    const { stdout: found } = runVerifier(writeItems('moved-1.gz', backup, moved));
    expect(found).toContain(`Event ${Number(ofService.sk)} is in the wrong place`);
  });

  test('names one that was altered before all later hashes were computed again, with a checkpoint', () => {
    const hidden = writeItems('hidden-1.gz', backup, computeAllAgain(alterEvent(itemsIn(backup), target)));
    expect(runVerifier(hidden).code).toBe(0);
    const { code, stdout } = runVerifier(hidden, kept);
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`Event ${Number(target.sk)} of feature verified was altered`));
    expect(stdout).toContain('The history was rewritten before the checkpoint');
  });

  test('names one that a second list calls genuine, with a checkpoint of a hash alone', () => {
    const small = fileOf('small.json');
    const { seals: _seals, ...checkpoint } = JSON.parse(readFileSync(kept, 'utf8'));
    writeFileSync(small, JSON.stringify(checkpoint));
    const listed = itemsIn(backup).find(({ pk, link }) => pk.startsWith('EVENTS#') && link === undefined) as Item;
    const altered = alterEvent(itemsIn(backup), listed);
    const again = runVerifier(writeItems('again.gz', backup, sealOnceMore(altered, listed)), small);
    expect(again.code).toBe(1);
    expect(again.stdout).toContain(`Event ${Number(listed.sk)} was altered`);
    for (const pk of ['SEAL#01', 'SEAL#0000000000000001']) {
      const { code, stdout } = runVerifier(
        writeItems('list.gz', backup, addFalseList(altered, listed, { pk, sk: 'LEAVES' })),
        small,
      );
      expect(code).toBe(1);
      expect(stdout).toContain('is no seal, or is there twice');
    }
  });

  test('misses the seal of a checkpoint in a backup without any seal, and everything in one without events', () => {
    const small = fileOf('small.json');
    const { seals: _seals, ...checkpoint } = JSON.parse(readFileSync(kept, 'utf8'));
    writeFileSync(small, JSON.stringify(checkpoint));
    const hidden = computeAllAgain(alterEvent(itemsIn(backup), target));
    const without = (pattern: RegExp) => hidden.filter(({ pk }) => !pattern.test(pk));
    const unsealed = runVerifier(writeItems('no-seals.gz', backup, without(/^SEALS?(#|$)/)), small);
    expect(unsealed).toMatchObject({ code: 1, stdout: expect.stringContaining('of the checkpoint') });
    expect(unsealed.stdout).toMatch(/\d+ of these have no link either: nobody would notice if they were altered/);
    const empty = runVerifier(writeItems('no-events.gz', backup, without(/EVENTS(#|$)/)));
    expect(empty).toMatchObject({ code: 1, stdout: expect.stringContaining(`Event ${Number(target.sk)} was removed`) });
  });

  test('names an added event of the past that the list of all events would not show then', () => {
    const listed = itemsIn(backup).findLast(({ pk }) => pk.startsWith('EVENTS#')) as Item;
    const id = Number(listed.sk) + 500_000;
    const added = addEvent(itemsIn(backup), listed, id, false).map((item) =>
      Number(item.sk) === id ? { ...item, at: `2999-01-01T00:00:00.000Z#${item.sk}` } : item,
    );
    const { code, stdout } = runVerifier(writeItems('future.gz', backup, added));
    expect(code).toBe(1);
    expect(stdout).toContain(`Event ${id}`);
  });

  test('names what cannot be read, and what only counts wrongly', () => {
    const items = itemsIn(backup);
    const own = items.find(({ pk, sk }) => pk === 'FEATURE#verified' && sk === 'FEATURE') as Item;
    const leaves = items.findLast(({ pk }) => pk.startsWith('SEAL#')) as Item;
    const cases: readonly [Item, object, string][] = [
      [target, { events: '[{' }, `Event ${Number(target.sk)} of feature verified cannot be read`],
      [target, { events: undefined }, `Event ${Number(target.sk)} of feature verified cannot be read`],
      [target, { events: '[null]' }, `Event ${Number(target.sk)} of feature verified cannot be read`],
      [leaves, { leaves: undefined }, 'The list of seal 2 was altered'],
      [own, { eventCount: 99 }, 'Feature verified counts other events than there are'],
    ];
    for (const [item, more, problem] of cases) {
      const altered = items.map((each) => (each.pk === item.pk && each.sk === item.sk ? { ...each, ...more } : each));
      const { code, stdout } = runVerifier(writeItems('unreadable.gz', backup, altered));
      expect(stdout).toContain(problem);
      expect(code).toBe(1);
    }
    const headless = runVerifier(
      writeItems(
        'headless.gz',
        backup,
        items.filter(({ pk }) => pk !== 'SEALS'),
      ),
    );
    expect(headless).toMatchObject({ code: 1, stdout: expect.stringContaining('Seal 1 was removed') });
  });

  test('names an event of the past that a later seal lists', () => {
    const items = itemsIn(backup);
    const listed = items.findLast(({ pk }) => pk.startsWith('EVENTS#')) as Item;
    const id = Number(listed.sk) + 500_000;
    const added = addOldEvent(items, listed, id, '2026-01-05T00:00:00.000Z');
    const { code, stdout } = runVerifier(writeItems('old.gz', backup, sealOnceMore(added, added[0] as Item)), kept);
    expect(code).toBe(1);
    expect(stdout).toContain(`Event ${id} was added`);
  });

  test('refuses a checkpoint whose seals do not lead to its hash, as the command does', async () => {
    const damaged = fileOf('damaged.json');
    writeFileSync(damaged, JSON.stringify({ ...JSON.parse(readFileSync(kept, 'utf8')), hash: 'another' }));
    const { code, stderr } = await runProgram('verify', [...file(backup), '--checkpoint', damaged]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('The checkpoint is damaged')]);
    expect(runVerifier(backup, damaged)).toMatchObject({ code: 2 });
  });

  test('takes several checkpoints that keep seals', () => {
    const older = fileOf('older.json');
    const { seals, ...last } = JSON.parse(readFileSync(kept, 'utf8'));
    const [first, second] = seals;
    writeFileSync(older, JSON.stringify({ ...last, number: 1, at: first.at, hash: second.previous, seals: [first] }));
    const { code, stdout } = runVerifier(backup, older, older);
    expect(stdout).toContain('OK: nothing is wrong');
    expect(code).toBe(0);
  });
});
