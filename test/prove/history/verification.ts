import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readBackup } from '../../../lib/backup/backup-file.ts';
import { keepSeals } from '../../../lib/history/keep-seals.ts';
import { version } from '../../../lib/http/version.ts';
import { lastMigration } from '../../../lib/migrations/migrate.ts';
import { type RawItem, scanPages } from '../../../lib/store/raw-items.ts';
import { contentOf, type Item, restoreContent } from '../../harness/items.ts';
import { sealNow } from '../../harness/seal-now.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { openMemoryStore, openService, type ProvedService } from '../service.ts';
import { acts, Cases, type Keep, verifyCases, verifyHiddenCases } from './tamper.ts';
import { writeWithKills } from './write-with-kills.ts';

/** The size of the proof. */
interface VerificationPlan {
  /** The number of changes by writers that are killed; 0 for none. */
  readonly changes: number;
  /** The number of tampered histories of each kind. */
  readonly cases: number;
  readonly seed: number;
}

/**
 * Proves that the history can be verified: after changes by writers that are killed, it verifies, and each tampered event is found.
 * @returns the broken promises, and the number of verified histories.
 */
export async function proveVerification({ changes, cases, seed }: VerificationPlan) {
  const broken: string[] = [];
  using folder = temporaryFolder();
  if (changes > 0) {
    const { changed, kills, sealed, unsealed } = await writeWithKills(folder.path, changes);
    for (const { findings } of [unsealed, sealed]) {
      broken.push(...findings.map((finding) => `the history of ${changed} changes: ${JSON.stringify(finding)}`));
    }
    console.log(`${changed} changes, ${kills} kills, ${sealed.events} events in ${sealed.seals} seals verify.`);
  }
  const histories = await proveTampering(folder.path, { cases, seed, broken });
  return { broken, histories };
}

interface Trials {
  readonly cases: number;
  readonly seed: number;
  /** Gets the broken promises. */
  readonly broken: string[];
}

/** @returns the number of verified histories. */
async function proveTampering(folder: string, { cases, seed, broken }: Trials): Promise<number> {
  delete process.env.DYNAMODB_ENDPOINT;
  await using _store = await openMemoryStore();
  const service = await openService();
  await makeHistory(service);
  const { table } = service;
  await sealNow(table);
  await makeChanges(service, 'plain', 30, 100);
  await service.call('POST', '/api/admin/segments', { body: { name: 'Beta', constraints: [] } });
  await sealNow(table);
  const kept = keepSeals((await contentOf(table)) as RawItem[]);
  const { seals: _seals, ...small } = kept;
  await makeChanges(service, 'plain', 5, 200);
  const items = await contentOf(table);
  const keeps: Readonly<Record<string, Keep>> = {
    'in a store': async (content) => {
      await restoreContent(table, content);
      return (await Array.fromAsync(scanPages(table))).flat();
    },
    'in a backup': async (content) =>
      await Array.fromAsync(readBackup(writeItems(join(folder, 'tampered.gz'), content))),
  };
  const source = new Cases(items);
  let done = 0;
  for (const [place, keep] of Object.entries(keeps)) {
    for (const [index, act] of acts.entries()) {
      const chosen = source.choose(act, cases, seed + index);
      const hidden = chosen.slice(0, Math.ceil(cases / 4));
      const problems = [
        ...(await verifyCases(act, chosen, keep)),
        ...(await verifyHiddenCases(act, hidden, keep, { kept, small })),
      ];
      console.log(`${chosen.length} ${act} ${place}, ${hidden.length} of them hidden: ${problems.length} things wrong`);
      broken.push(...problems.map((problem) => `${place}, ${problem}`));
      done += chosen.length + 3 * hidden.length;
    }
  }
  return done;
}

async function makeHistory(service: ProvedService): Promise<void> {
  const project = '/api/admin/projects/default';
  for (const name of ['plain', 'other', 'deleted', 'again']) {
    await service.call('POST', `${project}/features`, { body: { name } });
    await makeChanges(service, name, 12);
  }
  for (const name of ['deleted', 'again']) {
    await service.call('DELETE', `${project}/features/${name}`);
    await service.call('DELETE', `/api/admin/archive/${name}`);
  }
  await service.call('POST', `${project}/features`, { body: { name: 'again' } });
  for (const name of ['team', 'area', 'kind']) await service.call('POST', '/api/admin/tag-types', { body: { name } });
}

/** @param from the number of the first change. No two changes are the same: otherwise, their exchange would change nothing. */
async function makeChanges(service: ProvedService, name: string, count: number, from = 0): Promise<void> {
  for (let change = from; change < from + count; change += 1) {
    const body = { description: `Change ${change}` };
    await service.call('PUT', `/api/admin/projects/default/features/${name}`, { body });
  }
}

/** Writes items as a backup with the right checksum, as somebody does who hides what they did. */
function writeItems(file: string, items: readonly Item[]): string {
  const header = { flagstaff: 'backup', format: 1, layout: lastMigration, version };
  const lines = [header, ...items].map((line) => `${JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(lines).digest('hex');
  writeFileSync(file, gzipSync(`${lines}${JSON.stringify({ items: items.length, sha256 })}\n`, { level: 1 }));
  return file;
}
