import { statSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { lateMs } from '../../lib/history/seal.ts';
import { sealAllEvents } from '../../lib/history/seal-events.ts';
import { countThings, type PlannedKind } from '../../lib/imports/migration/plan.ts';
import type { Get } from '../../lib/imports/migration/reading.ts';
import { runMigration } from '../../lib/imports/migration/run.ts';
import { newestEventId, readSource, type SourceContent } from '../../lib/imports/migration/source.ts';
import { migrate as migrateLayout } from '../../lib/migrations/migrate.ts';
import type { Request } from '../../lib/request.ts';
import { Problem } from '../problem.ts';
import { type CommandLine, formatCount, runCommand, UsageError, type Verdict } from './command.ts';
import { compareMoved } from './migration/compare-moved.ts';
import { formatPlan, formatResult } from './migration/plan-lines.ts';
import { openRecorder, openSavedSource } from './migration/saved-source.ts';
import { clientOf } from './migration/source-client.ts';
import { type Progress, startProgress } from './progress.ts';
import { assertAnswers, serviceOptions, serviceUrl } from './service.ts';
import { storeHelp, withStore } from './store.ts';

const help = `Moves a running Unleash server into the store: everything that its API shows, with ids, dates, authors and history.

  npm run migrate -- --from URL [--token TOKEN] [options]
  npm run migrate -- --from FOLDER [options]

  --from URL      the address of the server (Unleash open source or Enterprise, 5.12 to 8.x)
  --from FOLDER   a folder that --save has written; this needs no network, and can be inspected and repeated
  --token TOKEN   an admin token of the server, or the personal token of an administrator; safer in the environment variable
                  UNLEASH_TOKEN, since lists of processes show arguments
  --save FOLDER   only reads the server, and writes its answers to JSON files in a new folder; they contain the secrets of SDK
                  tokens, so only you may read them
  --plan          only prints what would be created, changed and unchanged, and what cannot be moved, with reasons
  --yes           does not ask for confirmation
  --json          prints the plan, or the result, as JSON with all names
  --compare       compares both servers as SDKs see them, and writes nothing: it evaluates each flag of each environment with
                  the engine of Unleash's Node SDK, from the answers of both servers to the same tokens; prints PASS or FAIL
  --url URL       with --compare, the address of this server (default: http://localhost:PORT, where PORT is 4242 unless set)
  --decisions N   with --compare, the maximum number of evaluations (default: 1,000,000)
  --report FILE   with --compare, also writes the result, the counts by kind and what cannot be moved to an HTML page
  --prune         also deletes things here that came from the server, were deleted there, and were not changed here
  --watch         keeps following the server until Ctrl-C
  -h, --help      this text

The server only gets GET requests, at most two at a time. The command prints the plan first. On a terminal it then asks for
confirmation; elsewhere it needs --yes. If it is interrupted, run it again to complete it. Run later, it moves only what has
changed on the server since. It does not delete things that exist only here, except flags that came from the server, and what
--prune deletes.

${storeHelp}`;

const options = {
  from: { type: 'string' },
  token: { type: 'string' },
  save: { type: 'string' },
  plan: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  compare: { type: 'boolean', default: false },
  url: serviceOptions.url,
  decisions: { type: 'string', default: '1000000' },
  report: { type: 'string' },
  prune: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
} as const;
type Values = CommandLine<typeof options>['values'];

async function migrate({ values }: CommandLine<typeof options>): Promise<Verdict | undefined> {
  const { from, save, compare, report } = values;
  if (from === undefined) throw new UsageError('--from is required.');
  if (save !== undefined) return saveSource(from, save, values);
  if (compare) return compareWith(from, values);
  if (report !== undefined) throw new UsageError('--report needs --compare.');
  const origin = await originOf(from, values);
  const isPruning = values.prune;
  await withStore(async (store) => {
    await migrateLayout(store);
    const source = await readWithProgress(origin.get);
    console.error(`Read Unleash ${source.version} at ${origin.from}: ${describeContent(source)}.`);
    const plan = await run(store, source, origin, { isWriting: false, isPruning });
    if (!values.json) print(values, { source, kinds: plan }, formatPlan);
    if (!(await isConfirmed(values, plan))) {
      if (values.json) print(values, { source, kinds: plan }, formatPlan);
      // A run that was interrupted may have imported everything, and sealed nothing.
      if (!values.plan && isDone(plan)) await sealAllEvents(store, new Date());
      return;
    }
    const result = await run(store, source, origin, { isWriting: true, isPruning, plan });
    print(values, { source, kinds: result }, formatResult);
    // Imported events are older than the last seal. The clock would not look for them.
    await sealAllEvents(store, new Date());
    console.error(
      'A seal lists the imported events as they are now. The links of flags begin here ("npm run verify").',
    );
    if (values.watch) await follow(store, origin, source, values);
    else if (origin.isLive && ((await newestEventId(origin.get)) ?? 0) > source.copy.completeUpTo) {
      console.error('The server has changed since it was read. Run this command again, or use --watch.');
    }
  });
}

/** Reads a server, and shows the progress. */
async function readWithProgress(get: Get): Promise<SourceContent> {
  using stages = new Stages();
  return await readSource(get, (kind, done, total) => stages.reach(`Reading ${kind}`, done, total));
}

interface RunOptions {
  readonly isWriting: boolean;
  readonly isPruning: boolean;
  /** The plan that is carried out, which tells how much there is to do. */
  readonly plan?: readonly PlannedKind[];
}

/** Plans or carries out a migration, and shows the progress. */
async function run(
  store: Request,
  source: SourceContent,
  { from }: Origin,
  { isWriting, isPruning, plan = [] }: RunOptions,
): Promise<PlannedKind[]> {
  using stages = new Stages();
  const totals = new Map(plan.map((planned) => [planned.kind, countThings(planned)]));
  const onDone = (kind: string, done: number) =>
    stages.reach(`${isWriting ? 'Writing' : 'Planning'} ${kind}`, done, totals.get(kind));
  return await runMigration(store, source, { from, isWriting, isPruning, onDone });
}

/** Shows the progress of one stage after the other. */
class Stages implements Disposable {
  #current: { readonly title: string; readonly progress: Progress; done: number } | undefined;

  reach(title: string, done: number, total?: number): void {
    if (this.#current?.title !== title) {
      this[Symbol.dispose]();
      this.#current = { title, progress: startProgress(title, total), done: 0 };
    }
    const { progress } = this.#current;
    if (total !== undefined) progress.expect(total);
    progress.advance(done - this.#current.done);
    this.#current.done = done;
  }

  [Symbol.dispose](): void {
    this.#current?.progress[Symbol.dispose]();
    this.#current = undefined;
  }
}

/** A server, or a folder with its saved answers. */
interface Origin {
  readonly from: string;
  readonly get: Get;
  readonly isLive: boolean;
}

async function originOf(from: string, { token = process.env.UNLEASH_TOKEN, watch }: Values): Promise<Origin> {
  if (/^https?:\/\//.test(from)) {
    if (!token) throw new UsageError('--token or the variable UNLEASH_TOKEN is required.');
    const service = serviceUrl(from, '--from');
    return { from: service.href, get: clientOf({ service, token }), isLive: true };
  }
  if (statSync(from, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(
      '--from must be an address that begins with http:// or https://, or a folder that --save has written.',
    );
  }
  if (watch) throw new UsageError('--watch needs a running server.');
  return { ...(await openSavedSource(from)), isLive: false };
}

/** Compares a server with this one, and lists what has not been moved. */
async function compareWith(from: string, values: Values): Promise<Verdict> {
  const { url, decisions, report } = values;
  if (!/^[1-9]\d{0,8}$/.test(decisions))
    throw new UsageError(`--decisions must be a whole number, not "${decisions}".`);
  const to = serviceUrl(url);
  const origin = await originOf(from, values);
  if (!origin.isLive) throw new UsageError('--compare needs a running server.');
  await assertAnswers(to);
  const source = await readWithProgress(origin.get);
  const kinds = await withStore((store) => run(store, source, origin, { isWriting: false, isPruning: values.prune }));
  return compareMoved({ from: serviceUrl(from, '--from'), to, source, kinds, maxDecisions: Number(decisions), report });
}

async function saveSource(from: string, folder: string, values: Values): Promise<undefined> {
  const origin = await originOf(from, values);
  if (!origin.isLive) throw new UsageError('--save needs a running server.');
  const recorder = await openRecorder(folder, origin.from, origin.get);
  const source = await readWithProgress(recorder.get);
  const count = await recorder.finish();
  console.log(`Saved ${count} answers of Unleash ${source.version} in ${folder}: ${describeContent(source)}.`);
}

function describeContent({ projects, lists, copy }: SourceContent): string {
  const amounts = [
    formatCount(projects.length, 'project'),
    formatCount(copy.featureCount, 'flag'),
    formatCount(lists.segments.length, 'segment'),
    formatCount(lists.users.length, 'user'),
    formatCount(lists.tokens.length, 'token'),
    formatCount(copy.eventCount, 'event'),
  ];
  return amounts.join(', ');
}

interface Outcome {
  readonly source: SourceContent;
  readonly kinds: readonly PlannedKind[];
}

function print({ json }: Values, outcome: Outcome, lines: (outcome: Outcome) => string[]): void {
  const { source, kinds } = outcome;
  if (json) console.log(JSON.stringify({ version: source.version, missing: source.missing, kinds }, undefined, 2));
  else console.log(lines(outcome).join('\n'));
}

/** Tells whether nothing is left to move. */
function isDone(kinds: readonly PlannedKind[]): boolean {
  return kinds.every(({ created, changed }) => created.length + changed.length === 0);
}

async function isConfirmed({ plan, yes }: Values, kinds: readonly PlannedKind[]): Promise<boolean> {
  if (plan) return false;
  if (yes) return true;
  if (isDone(kinds)) return false;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    console.error('Nothing was written: without a terminal, the command cannot ask for confirmation. Use --yes.');
    process.exitCode = 1;
    return false;
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asking.question('Write this to the store? (yes/no) ');
  asking.close();
  return /^y(es)?$/i.test(answer.trim());
}

const pollMs = 5_000;
/** The pause for servers without a search for events, which have to be read completely. */
const rereadMs = 60_000;

/** Follows the server until Ctrl-C, and prints what was moved each time. If the server cannot be reached, tries again. */
async function follow(store: Request, origin: Origin, { copy }: SourceContent, values: Values): Promise<void> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  console.error(`Following ${origin.from} until Ctrl-C.`);
  let pauseMs = pollMs;
  while (await sleep(pauseMs, true, { signal: stop.signal }).catch(() => false)) {
    try {
      const newest = await newestEventId(origin.get);
      pauseMs = newest === undefined ? rereadMs : pollMs;
      const { completeUpTo } = copy;
      if (newest !== undefined && newest <= completeUpTo) continue;
      const source = await readSource(origin.get, () => {}, copy);
      const kinds = await runMigration(store, source, { from: origin.from, isWriting: true, isPruning: values.prune });
      const moved = kinds.filter(({ created, changed }) => created.length + changed.length > 0);
      if (moved.length > 0) print(values, { source: { ...source, missing: [] }, kinds: moved }, formatResult);
      // If the server could not be reached for long, its events are too old for the clock.
      const late = new Date(Date.now() - lateMs / 2).toISOString();
      if (copy.hasEventBefore(late, completeUpTo)) await sealAllEvents(store, new Date());
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      console.error(`${error.message} Trying again.`);
    }
  }
}

await runCommand({ name: 'migrate', help, options, run: migrate });
