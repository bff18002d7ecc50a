import fc from 'fast-check';
import { describeFinding } from '../../../lib/history/verification/findings.ts';
import { verifyHistory } from '../../../lib/history/verify-history.ts';
import { createEnvironmentRequest } from '../../../lib/request.ts';
import type { RawItem } from '../../../lib/store/raw-items.ts';
import { contentAtRest, type Item } from '../../harness/items.ts';
import { type LocalProcess, startLocalProcess } from '../../harness/local-process.ts';
import { type NormalForm, normalForm } from '../crash/normal-form.ts';
import { differences } from '../crash/outcome.ts';
import { type RanCommand, runMigrate, type SavedFolder } from './commands.ts';

/** Most kills of one migration in a row, before it is let through. */
const killsInARow = 3;
const shownMax = 3;

/**
 * Kills migrations at random moments and lets them through in the end; each has to leave the same store as one that nobody
 * has killed, and a history that can be verified. The same seed kills at the same parts of the time.
 * @returns the broken promises.
 */
export async function killMigrations(
  saved: SavedFolder,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<readonly string[]> {
  await using unharmed = await startLocalProcess({ store: 'memory' });
  const first = await runMigrate(saved, unharmed);
  if (first.code !== 0) return [`a migration that nobody killed ended with ${first.code}: ${first.stderr}`];
  const wanted = toNormalForm(await readContent(unharmed));
  // Some come too late.
  const moments = fc.sample(fc.noBias(fc.nat({ max: 1_000 })), { seed, numRuns: kills * 2 });
  const broken: string[] = [];
  let wholeMs = first.milliseconds;
  let killed = 0;
  while (killed < kills && moments.length > 0) {
    await using target = await startLocalProcess({ store: 'memory' });
    const row: number[] = [];
    for (const part of moments.splice(0, Math.min(killsInARow, kills - killed))) {
      const killAfterMs = Math.round((part / 1_000) * wholeMs);
      const fate: RanCommand = await runMigrate(saved, target, { killAfterMs });
      if (fate.code !== null) {
        // It has ended already: nothing is left to kill, and the machine may have become faster.
        if (row.length === 0) wholeMs = Math.min(wholeMs, fate.milliseconds);
        break;
      }
      row.push(killAfterMs);
    }
    const last = await runMigrate(saved, target);
    const here = `killed after ${row.join(', ')} ms and run again`;
    if (last.code !== 0) broken.push(`${here}, it ended with ${last.code}: ${last.stderr}`);
    const content = await readContent(target);
    const { findings } = await verifyHistory(content as readonly RawItem[]);
    const wrong = [...differences(wanted, toNormalForm(content)), ...findings.map(describeFinding)];
    broken.push(...wrong.slice(0, shownMax).map((each) => `${here}: ${each}`));
    killed += row.length;
    console.log(`Killed: ${killed} of ${kills} times, ${broken.length} promises broke.`);
  }
  return broken;
}

function readContent({ storeEndpoint }: LocalProcess): Promise<Item[]> {
  Object.assign(process.env, { DYNAMODB_ENDPOINT: storeEndpoint, TABLE_NAME: 'flagstaff' });
  return contentAtRest(createEnvironmentRequest());
}

function toNormalForm(items: readonly Item[]): NormalForm {
  // Each server keeps there which store it sends the events of.
  const own = items.filter(({ pk }) => pk !== 'SENDING');
  // Ids of events that a killed one has taken are not given out again.
  return normalForm(own.map((item) => ('blocks' in item ? { ...item, blocks: undefined } : item)));
}
