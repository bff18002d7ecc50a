import { createPublicKey, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { BadBackup, readBackup } from '../../lib/backup/backup-file.ts';
import { copyStore } from '../../lib/backup/copy-store.ts';
import { WorkingCopy } from '../../lib/backup/working-copy.ts';
import { hasSignatureOf } from '../../lib/history/checkpoint.ts';
import { type Checkpoint, checkpointFile } from '../../lib/history/checkpoint-schema.ts';
import { keepSeals } from '../../lib/history/keep-seals.ts';
import { isOfSeals } from '../../lib/history/seal-items.ts';
import { createCheckpointKey, openPrivateKey } from '../../lib/history/signers/sign-by-private-key.ts';
import { describeFinding, type Finding } from '../../lib/history/verification/findings.ts';
import { type HistoryReport, verifyHistory } from '../../lib/history/verify-history.ts';
import type { RawItem } from '../../lib/store/raw-items.ts';
import { parseJson } from '../../lib/values/json.ts';
import { describeError } from '../problem.ts';
import { type CommandLine, formatCount, runCommand, UsageError, type Verdict } from './command.ts';
import { startProgress } from './progress.ts';
import { storeHelp, withStore } from './store.ts';

const help = `Verifies that no event of the history was altered, removed, added or put elsewhere, and names each one that was.

  npm run verify                              verifies a store, also while the service runs
  npm run verify -- --file FILE               verifies a backup
  npm run verify -- --checkpoint FILE ...     also compares it with checkpoints that were kept elsewhere

  --file FILE         a backup that "npm run backup" has written; it is read without a store
  --checkpoint FILE   a checkpoint, or a folder of them; without one, nobody can tell whether all later hashes were computed again
  --key FILE          a public key (PEM); each checkpoint must have a signature of it
  --new-key FILE      only writes a new private key to a new file, for CHECKPOINT_KEY_FILE, and prints its public key
  --keep FILE         writes a checkpoint with all seals, if nothing is wrong; keep it where nobody who can write to the store can
                      replace it. A later verification with it names an event even if all later hashes were computed again
  --json              prints the result as JSON
  -h, --help          this text

The exit code is 0 if nothing is wrong, 1 if something is, and 2 if the history could not be read. The command says what it cannot know.
It needs twice the size of the store as free space for temporary files.

${storeHelp}`;

const options = {
  file: { type: 'string' },
  checkpoint: { type: 'string', multiple: true },
  key: { type: 'string' },
  keep: { type: 'string' },
  'new-key': { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

async function verify({ values }: CommandLine<typeof options>): Promise<Verdict | undefined> {
  const { file, keep, json, 'new-key': newKey } = values;
  if (newKey !== undefined) return writeKey(newKey);
  const checkpoints = (values.checkpoint ?? []).flatMap(listCheckpointFiles).map(readCheckpoint);
  const unsigned = values.key === undefined ? [] : listUnsigned(checkpoints, readKey(values.key));
  const seals: RawItem[] = [];
  const { report, damage } = await verifyItems(file, checkpoints, (item) => {
    if (keep !== undefined && isOfSeals(item)) seals.push(item);
  });
  const findings = [...damage, ...unsigned, ...report.findings];
  const isWhole = findings.length === 0;
  if (keep !== undefined && isWhole && report.seals === 0) {
    throw new UsageError(
      'There is no seal yet that a checkpoint could name. The service makes one of what is older than two minutes: locally within ten minutes, deployed within an hour.',
    );
  }
  if (keep !== undefined && isWhole) writeFileSync(keep, `${JSON.stringify(keepSeals(seals))}\n`);
  const limits = [...report.limits, ...(values.key === undefined ? describeUnverified(checkpoints) : [])];
  if (json) return printJson({ ...report, findings, limits });
  for (const finding of findings) console.log(describeFinding(finding));
  if (report.furtherFindings > 0) console.log(`There are ${formatCount(report.furtherFindings, 'further finding')}.`);
  for (const limit of limits) console.log(`Not known: ${limit}`);
  if (keep !== undefined && isWhole) console.log(`Wrote a checkpoint with all seals to ${keep}.`);
  return { passed: isWhole, summary: describeResult(report, findings) };
}

/** The result of a verification, and the damage of the file itself. */
interface VerifiedItems {
  readonly report: HistoryReport;
  readonly damage: readonly Finding[];
}

/** Verifies a backup, or the store without a file. @param note is called with each item. */
async function verifyItems(
  file: string | undefined,
  checkpoints: readonly Checkpoint[],
  note: (item: RawItem) => void,
): Promise<VerifiedItems> {
  const damage: Finding[] = [];
  if (file === undefined) {
    const report = await withStore(
      async (table) => {
        using copy = new WorkingCopy();
        // A table at AWS cannot be read as of one moment otherwise.
        await copyStore(table, copy, startProgress);
        return await verifyHistory(readItemsOfCopy(copy, note), checkpoints);
      },
      { isSnapshot: true },
    );
    return { report, damage };
  }
  const report = await verifyHistory(readItemsOfFile(file, note, damage), checkpoints);
  return { report, damage };
}

function* readItemsOfCopy(copy: WorkingCopy, note: (item: RawItem) => void): Generator<RawItem> {
  using progress = startProgress('Items verified', copy.size);
  for (const { item } of copy.items()) {
    const parsed: RawItem = JSON.parse(item);
    note(parsed);
    yield parsed;
    progress.advance();
  }
}

/**
 * Reads the items of a backup. If only its checksum is wrong, somebody has altered it, and the events can still be named.
 * @throws UsageError if the backup cannot be read.
 */
async function* readItemsOfFile(
  file: string,
  note: (item: RawItem) => void,
  damage: Finding[],
): AsyncGenerator<RawItem> {
  using progress = startProgress('Items verified');
  try {
    for await (const item of readBackup(file)) {
      note(item);
      yield item;
      progress.advance();
    }
  } catch (error) {
    if (!(error instanceof BadBackup)) throw error;
    if (!error.isRead) throw new UsageError(error.message);
    damage.push({ problem: error.message });
  }
}

/** Writes a private key that only the owner may read, and prints the public key. */
function writeKey(file: string): undefined {
  const key = createCheckpointKey();
  try {
    writeFileSync(file, key, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${describeError(error)}.`);
  }
  process.stdout.write(openPrivateKey(key).publicKey);
}

/** Lists a file, or the checkpoints in a folder, such as one that was copied from a bucket. */
function listCheckpointFiles(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new UsageError(`${path} has no checkpoint.`);
  return names.map((name) => join(path, name));
}

function readCheckpoint(file: string): Checkpoint {
  const { success, output } = v.safeParse(checkpointFile, parseJson(readText(file)));
  if (!success) throw new UsageError(`${file} is not a checkpoint.`);
  return output;
}

function readKey(file: string): KeyObject {
  const text = readText(file);
  try {
    return createPublicKey(text);
  } catch {
    throw new UsageError(`${file} is not a public key in PEM format.`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${describeError(error)}.`);
  }
}

function listUnsigned(checkpoints: readonly Checkpoint[], key: KeyObject): Finding[] {
  if (checkpoints.length === 0) throw new UsageError('--key needs --checkpoint.');
  const unsigned = checkpoints.filter((checkpoint) => !hasSignatureOf(checkpoint, key));
  return unsigned.map(({ number, at }) => ({
    ...{ seal: number, at },
    problem: 'the checkpoint has no signature of this key',
  }));
}

function describeUnverified(checkpoints: readonly Checkpoint[]): string[] {
  const { length } = checkpoints.filter(({ signature }) => signature !== undefined);
  if (length === 0) return [];
  const isSingle = length === 1;
  return [
    `The signature${isSingle ? '' : 's'} of ${formatCount(length, 'checkpoint')} ${isSingle ? 'was' : 'were'} not verified: use --key.`,
  ];
}

function printJson(report: HistoryReport): undefined {
  console.log(JSON.stringify(report, null, 2));
  if (report.findings.length > 0) process.exitCode = 1;
}

function describeResult({ events, features, seals }: HistoryReport, { length }: readonly Finding[]): string {
  const scope = `${formatCount(events, 'event')} of ${formatCount(features, 'feature')} and of the service, ${formatCount(seals, 'seal')}`;
  return length === 0 ? `nothing is wrong with ${scope}.` : `${formatCount(length, 'problem')} with ${scope}.`;
}

await runCommand({ name: 'verify', help, options, failureCode: 2, run: verify });
