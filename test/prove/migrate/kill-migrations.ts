import fc from 'fast-check';
import { environmentRequest } from '../../../lib/request.ts';
import { contentAtRest } from '../../harness/items.ts';
import { type LocalProcess, startLocalProcess } from '../../harness/local-process.ts';
import { type NormalForm, normalForm } from '../crash/normal-form.ts';
import { type RanCommand, runMigrate, type SavedFolder } from './commands.ts';

/** Most kills of one migration in a row, before it is let through. */
const killsInARow = 3;
const shownMax = 3;

/**
 * Kills migrations at random moments and lets them through in the end; each has to leave the same store as one that nobody
 * has killed. The same seed kills at the same parts of the time.
 * @returns the broken promises.
 */
export async function killMigrations(
  saved: SavedFolder,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<readonly string[]> {
  await using unharmed = await startLocalProcess({ store: 'memory' });
  const { code, stderr, milliseconds } = await runMigrate(saved, unharmed);
  if (code !== 0) return [`a migration that nobody killed ended with ${code}: ${stderr}`];
  const wanted = await contentsOf(unharmed);
  const moments = fc.sample(fc.noBias(fc.nat({ max: 1_000 })), { seed, numRuns: kills });
  const broken: string[] = [];
  let tooLate = 0;
  for (let first = 0; first < kills; first += killsInARow) {
    await using target = await startLocalProcess({ store: 'memory' });
    const row = moments.slice(first, first + killsInARow).map((part) => Math.round((part / 1_000) * milliseconds));
    for (const killAfterMs of row) {
      const fate: RanCommand = await runMigrate(saved, target, { killAfterMs });
      if (fate.code !== null) tooLate += 1;
    }
    const last = await runMigrate(saved, target);
    const here = `killed after ${row.join(', ')} ms and run again`;
    if (last.code !== 0) broken.push(`${here}, it ended with ${last.code}: ${last.stderr}`);
    broken.push(...differencesFrom(wanted, await contentsOf(target)).map((each) => `${here}: ${each}`));
    console.log(`Killed: ${Math.min(first + killsInARow, kills)} of ${kills} times, ${broken.length} promises broke.`);
  }
  console.log(`  ${tooLate} of them came when it had ended already.`);
  return broken;
}

async function contentsOf({ storeEndpoint }: LocalProcess): Promise<NormalForm> {
  Object.assign(process.env, { DYNAMODB_ENDPOINT: storeEndpoint, TABLE_NAME: 'flagstaff' });
  const items = await contentAtRest(environmentRequest());
  // Each server keeps there which store it sends the events of.
  return normalForm(items.filter(({ pk }) => pk !== 'SENDING'));
}

function differencesFrom(wanted: NormalForm, found: NormalForm): string[] {
  const owners = [...new Set([...wanted.keys(), ...found.keys()])];
  const differing = owners.filter((owner) => String(wanted.get(owner)) !== String(found.get(owner)));
  return differing.slice(0, shownMax).map((owner) => {
    const [theirs, ours] = [wanted.get(owner) ?? [], found.get(owner) ?? []];
    const missing = theirs.filter((text) => !ours.includes(text));
    const more = ours.filter((text) => !theirs.includes(text));
    return `${owner} lacks ${missing.join(' ').slice(0, 400)}, and has ${more.join(' ').slice(0, 400)}`;
  });
}
