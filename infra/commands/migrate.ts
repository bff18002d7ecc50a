import { statSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { countThings, type PlannedKind } from '../../lib/imports/migration/plan.ts';
import type { Get } from '../../lib/imports/migration/reading.ts';
import { runMigration } from '../../lib/imports/migration/run.ts';
import { newestEventId, readSource, type SourceContent } from '../../lib/imports/migration/source.ts';
import { migrate as migrateLayout } from '../../lib/migrations/migrate.ts';
import type { Request } from '../../lib/request.ts';
import { Problem } from '../problem.ts';
import { type CommandLine, formatCount, runCommand, UsageError, type Verdict } from './command.ts';
import { compareMoved } from './migration/compare-moved.ts';
import { planLines, resultLines } from './migration/plan-lines.ts';
import { openSavedSource, openSavingSource } from './migration/saved-source.ts';
import { clientOf } from './migration/source-client.ts';
import { type Progress, startProgress } from './progress.ts';
import { assertAnswers, serviceOptions, serviceUrl } from './service.ts';
import { storeHelp, withStore } from './store.ts';

const help = `Moves a running Unleash server into the store: all that its API shows, with ids, dates, authors and history.

  npm run migrate -- --from URL [--token TOKEN] [options]
  npm run migrate -- --from FOLDER [options]

  --from URL      the address of the server (open source or Enterprise, 5.12 to 8.x)
  --from FOLDER   what --save has written, so that it can be looked at and repeated without the network
  --token TOKEN   an admin token of the server, or the personal token of an administrator; better in the environment, as
                  UNLEASH_TOKEN, since lists of processes show arguments
  --save FOLDER   only reads the server, and writes each answer to a file of JSON in a new folder. It holds the secrets of
                  SDK tokens: only you may read it
  --plan          only shows what would be created, changed, left as it is, and what cannot move, and why
  --yes           goes on without asking
  --json          the plan, or the result, as JSON with the name of everything
  --compare       compares the server with this one as SDKs see both: each flag of each environment, by the engine of Unleash's
                  Node SDK, with what either delivers to the same tokens; writes nothing. PASS, or FAIL and 1
  --url URL       with --compare, the address of this server (http://localhost:PORT, where PORT is 4242 unless set)
  --decisions N   with --compare, the most decisions of all flags together (1,000,000)
  --report FILE   with --compare, keeps the outcome, the counts by kind and what cannot move as an HTML page
  --prune         also deletes here what came from the server, is deleted there, and was not changed here since
  --watch         goes on following the server, until Ctrl-C
  -h, --help      this text

The server gets GETs alone, two at once. The plan comes first: on a terminal the command asks, elsewhere it goes on with --yes
only. Interrupted and run again it completes; run again later, it moves what has changed on the server since then, and
nothing else. What is here and not there stays, but for flags that came from there, and what --prune deletes.

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
    const source = await readShown(origin.get);
    console.error(`Read Unleash ${source.version} at ${origin.from}: ${extentOf(source)}.`);
    const plan = await run(store, source, origin, { isWriting: false, isPruning });
    if (!values.json) print(values, { source, kinds: plan }, planLines);
    if (!(await isAgreed(values, plan))) {
      if (values.json) print(values, { source, kinds: plan }, planLines);
      return;
    }
    const result = await run(store, source, origin, { isWriting: true, isPruning, plan });
    print(values, { source, kinds: result }, resultLines);
    if (values.watch) await follow(store, origin, source, values);
    else if (origin.isLive && ((await newestEventId(origin.get)) ?? 0) > source.copy.completeUpTo) {
      console.error('The server has changed since it was read: run this again, or let --watch follow it.');
    }
  });
}

/** Reads a server, and shows how far it is. */
async function readShown(get: Get): Promise<SourceContent> {
  using stages = new Stages();
  return await readSource(get, (what, done, total) => stages.reach(`Reading ${what}`, done, total));
}

interface RunOptions {
  readonly isWriting: boolean;
  readonly isPruning: boolean;
  /** The plan that is written, by which is known how much there is to do. */
  readonly plan?: readonly PlannedKind[];
}

/** Plans or writes, and shows how far it is. */
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

/** Shows one long part after the other. */
class Stages implements Disposable {
  #current: { readonly what: string; readonly progress: Progress; done: number } | undefined;

  reach(what: string, done: number, total?: number): void {
    if (this.#current?.what !== what) {
      this[Symbol.dispose]();
      this.#current = { what, progress: startProgress(what, total), done: 0 };
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

/** A server, or a folder that stands for one. */
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
      '--from takes an address that begins with http:// or https://, or a folder that --save has written.',
    );
  }
  if (watch) throw new UsageError('--watch needs a running server.');
  return { ...(await openSavedSource(from)), isLive: false };
}

/** Compares a server with this one, after a look at the store for all that is not here yet. */
async function compareWith(from: string, values: Values): Promise<Verdict> {
  const { url, decisions, report } = values;
  if (!/^[1-9]\d{0,8}$/.test(decisions)) throw new UsageError(`--decisions takes a whole number, not "${decisions}".`);
  const to = serviceUrl(url);
  const origin = await originOf(from, values);
  if (!origin.isLive) throw new UsageError('--compare needs a running server.');
  await assertAnswers(to);
  const source = await readShown(origin.get);
  const kinds = await withStore((store) => run(store, source, origin, { isWriting: false, isPruning: values.prune }));
  return compareMoved({ from: serviceUrl(from, '--from'), to, source, kinds, decisionsMax: Number(decisions), report });
}

async function saveSource(from: string, folder: string, values: Values): Promise<undefined> {
  const origin = await originOf(from, values);
  if (!origin.isLive) throw new UsageError('--save needs a running server.');
  const saving = await openSavingSource(folder, origin.from, origin.get);
  const source = await readShown(saving.get);
  const count = await saving.finish();
  console.log(`Saved ${count} answers of Unleash ${source.version} in ${folder}: ${extentOf(source)}.`);
}

function extentOf({ projects, lists, copy }: SourceContent): string {
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

async function isAgreed({ plan, yes }: Values, kinds: readonly PlannedKind[]): Promise<boolean> {
  if (plan) return false;
  if (yes) return true;
  if (!kinds.some(({ created, changed }) => created.length + changed.length > 0)) return false;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    console.error('Nothing was written: this is no terminal to ask on. --yes goes on without asking.');
    process.exitCode = 1;
    return false;
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asking.question('Write this to the store? (yes/no) ');
  asking.close();
  return /^y(es)?$/i.test(answer.trim());
}

const lookMs = 5_000;
/** Servers without a search for events are read as a whole, and so less often. */
const rereadMs = 60_000;

/** Follows the server until Ctrl-C, and says what has moved each time. A server that is away for a while is waited for. */
async function follow(store: Request, origin: Origin, { copy }: SourceContent, values: Values): Promise<void> {
  const ended = new AbortController();
  process.once('SIGINT', () => ended.abort());
  console.error(`Following ${origin.from} until Ctrl-C.`);
  let pauseMs = lookMs;
  while (await sleep(pauseMs, true, { signal: ended.signal }).catch(() => false)) {
    try {
      const newest = await newestEventId(origin.get);
      pauseMs = newest === undefined ? rereadMs : lookMs;
      if (newest !== undefined && newest <= copy.completeUpTo) continue;
      const source = await readSource(origin.get, () => {}, copy);
      const kinds = await runMigration(store, source, { from: origin.from, isWriting: true, isPruning: values.prune });
      const moved = kinds.filter(({ created, changed }) => created.length + changed.length > 0);
      if (moved.length > 0) print(values, { source: { ...source, missing: [] }, kinds: moved }, resultLines);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      console.error(`${error.message} It is asked again.`);
    }
  }
}

await runCommand({ name: 'migrate', help, options, run: migrate });
