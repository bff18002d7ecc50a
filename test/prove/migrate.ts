import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandLine, runCommand, UsageError, type Verdict } from '../../infra/commands/command.ts';
import { sdkTokensIn } from '../../infra/commands/migration/compare/choose-tokens.ts';
import { compareServers } from '../../infra/commands/migration/compare/compare-servers.ts';
import type { PlannedKind } from '../../lib/imports/migration/plan.ts';
import { type Address, get, send } from '../harness/http-call.ts';
import { type LocalProcess, startLocalProcess } from '../harness/local-process.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { type RanCommand, runMigrate, tokenOfAdmin } from './migrate/commands.ts';
import { compareConsoleLists } from './migrate/console-lists.ts';
import { proveEdgeMoves } from './migrate/edge-moves.ts';
import { fillServer } from './migrate/fill.ts';
import { killMigrations } from './migrate/kill-migrations.ts';
import { compareKinds, namesByKind } from './migrate/kinds.ts';
import { proveOtherSdksMove } from './migrate/other-sdks-move.ts';
import { provePagesMove } from './migrate/pages-move.ts';
import { proveSdksMove } from './migrate/sdks-move.ts';
import { proveSourceChanges } from './migrate/source-changes.ts';
import { amountOption, secondsSince, seedIn, usualOptions, verdictOn } from './options.ts';

const help = `Proves that a whole server moves: fills one through its API with everything that this can express, moves it into a fresh
"npm start", and compares both. Each kind's things agree, and the lists of the console; what changes there meanwhile is
said, and followed; SDKs decide alike, and those of Node, pages, Python, Java and Go move with their tokens to the new address
without an error or another answer; run again, nothing is written; killed at random moments and run again, the store is the same,
and its history can be verified. Ends with PASS, or with FAIL and 1 when a promise breaks.

  npm run prove:migrate -- [OPTIONS]

  --source URL      an Unleash server to fill and to move; without it, one of our own, which speaks the same API
  --token TOKEN     a personal token of an administrator of it (its imports refuse admin tokens)
  --filled          it is filled already
  --flags 1200      and --segments 100, --tokens 100, --users 30, --projects 60 (where it makes projects): the amounts
  --kills 100       how often the migration is killed
  --decisions N     how many decisions of SDKs are compared (1,000,000)
  --edge FILE       the program of an Unleash Edge, which polls the address that moves, with SDKs behind it
  --quick           200 flags, 3 kills, 100,000 decisions, and the SDKs of Node alone
  --seed 42         the same moments of kills again
  -h, --help        this text`;

const options = {
  ...usualOptions,
  source: { type: 'string' },
  token: { type: 'string' },
  filled: { type: 'boolean', default: false },
  flags: { type: 'string' },
  segments: { type: 'string' },
  tokens: { type: 'string' },
  users: { type: 'string' },
  projects: { type: 'string' },
  kills: { type: 'string' },
  decisions: { type: 'string' },
  edge: { type: 'string' },
} as const;
type Values = CommandLine<typeof options>['values'];

/** The usual amounts: with `--quick`, and without. */
const usualAmounts = {
  flags: [200, 1_200],
  segments: [20, 100],
  tokens: [20, 100],
  users: [10, 30],
  projects: [4, 60],
  kills: [3, 100],
  decisions: [100_000, 1_000_000],
} as const;
type Amount = keyof typeof usualAmounts;
const shownMax = 3;
const restMs = 20_000;

function amountsIn(values: Values): Record<Amount, number> {
  const amounts = Object.entries(usualAmounts).map(([name, usual]) => [
    name,
    amountOption(values, name as Amount, usual),
  ]);
  return Object.fromEntries(amounts);
}

/** Opens the server that is moved; one of ours goes with the block that uses it. */
async function openSource({ source, token }: Values): Promise<Address & AsyncDisposable> {
  if (source !== undefined && token !== undefined) {
    return { url: source.replace(/\/$/, ''), token, async [Symbol.asyncDispose]() {} };
  }
  const environment = { READABLE_CLIENT_TOKENS: 'true', IMPORT_BODY_LIMIT_BYTES: '4718592' };
  return withAdmin(await startLocalProcess({ store: 'memory', environment }));
}

/** A server, called by its first administrator: favourites are those of a person, whom both servers have. */
async function withAdmin(server: LocalProcess): Promise<LocalProcess> {
  return { ...server, token: await tokenOfAdmin(server) };
}

const amountsText = (amounts: Readonly<Record<string, number>>) =>
  Object.entries(amounts)
    .filter(([, amount]) => amount > 0)
    .map(([kind, amount]) => `${amount} ${kind}`)
    .join(', ');

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  if ((values.source === undefined) !== (values.token === undefined)) throw new UsageError('--source needs --token.');
  const start = performance.now();
  const amounts = amountsIn(values);
  const seed = seedIn(values);
  console.log(`Seed ${seed}.`);
  using folder = temporaryFolder();
  await using source = await openSource(values);
  if (!values.filled) console.log(`Made there: ${amountsText(await fillServer(source, amounts))}.`);
  // Unleash notes the stages of flags a while later.
  if (!values.filled && values.source !== undefined) await sleep(restMs);
  const broken: string[] = [];
  const saved = { folder: `${folder.path}/saved` };
  {
    await using target = await withAdmin(await startLocalProcess({ store: 'file' }));
    broken.push(...(await proveMove(source, target)));
    const others = { languages: values.quick ? undefined : folder.path, edge: values.edge };
    broken.push(...(await proveSameToSdks(source, target, amounts.decisions, others)));
    await runMigrate(source, target, { options: ['--save', saved.folder] });
  }
  broken.push(...(await killMigrations(saved, { kills: amounts.kills, seed })));
  const shown = [...Map.groupBy(broken, (line) => line.split(':', 1)[0]).values()].flatMap((alike) => [
    ...alike.slice(0, shownMax),
    ...(alike.length > shownMax ? [`and ${alike.length - shownMax} more like these`] : []),
  ]);
  return verdictOn(shown, `${broken.length} promises broke, in ${secondsSince(start)}.`);
}

async function proveMove(source: Address, target: LocalProcess): Promise<string[]> {
  const before = await namesByKind(target);
  const sourceEvents = await eventsOf(source);
  const ran = await runMigrate(source, target);
  console.log(`Moved in ${(ran.milliseconds / 1_000).toFixed(1)} s.`);
  if (ran.code !== 0) return [`the migration ended with ${ran.code}: ${ran.stderr}${ran.stdout}`];
  const again = await proveNothingAgain(source, target, sourceEvents);
  const changes = await proveSourceChanges(source, target);
  const { alike, unlike } = await compareKinds(source, target, before);
  console.log(`Shown alike by both: ${amountsText(alike)}.`);
  const lists = await compareConsoleLists(source, target);
  console.log(`Lists of the console: ${lists.compared} compared, ${lists.unlike.length} unlike.`);
  return [
    ...again,
    ...changes,
    ...lists.unlike,
    ...unlike.map(({ kind, ...both }) => `${kind}: there ${both.source}, here ${both.target}`),
  ];
}

async function proveSameToSdks(
  source: Address,
  target: LocalProcess,
  maxDecisions: number,
  others: { readonly languages: string | undefined; readonly edge: string | undefined },
): Promise<string[]> {
  const start = performance.now();
  const listed = async (list: string, member = list) =>
    ((await send(source, get(`/api/admin/${list}`))) as Record<string, Readonly<Record<string, unknown>>[]>)[member] ??
    [];
  const tokens = sdkTokensIn(await listed('api-tokens', 'tokens'));
  const { environments, decisions, refused, notCompared } = await compareServers({
    source: new URL(source.url),
    target: new URL(target.url),
    tokens,
    environments: (await listed('environments')).map(({ name }) => String(name)),
    projects: (await listed('projects')).map(({ id }) => String(id)),
    maxDecisions,
  });
  const differing = environments.flatMap(({ name, divergences }) =>
    divergences.map(
      ({ flag, difference, examples }) => `${flag} in ${name} ${difference}: ${JSON.stringify(examples[0])}`,
    ),
  );
  console.log(`SDKs: ${decisions} decisions compared, ${differing.length} flags differ, in ${secondsSince(start)}.`);
  for (const each of notCompared) console.log(`  not compared: ${each}`);
  const moved = { source, target, tokens };
  const sdks = await proveSdksMove(moved);
  const pages = await provePagesMove(moved);
  const { languages, edge } = others;
  const all = [
    ...[sdks, pages],
    ...(languages === undefined ? [] : [await proveOtherSdksMove(moved, languages)]),
    ...(edge === undefined ? [] : [await proveEdgeMoves(moved, edge)]),
  ];
  const broken = all.flatMap((each) => each.broken);
  const promised = all.reduce((sum, { count }) => sum + count, 0);
  console.log(`SDKs and pages that move: ${promised} promises, ${broken.length} broken.`);
  return [...differing, ...refused.map((each) => `the token ${each} is refused`), ...broken];
}

/** @param sourceEvents number of them before the migration: an Unleash notes applications, for one, a while later. */
async function proveNothingAgain(source: Address, target: LocalProcess, sourceEvents: number): Promise<string[]> {
  const [there, before] = [await eventsOf(source), await eventsOf(target)];
  const again = await runMigrate(source, target, { options: ['--yes', '--json'] });
  if (again.code !== 0) return [`run again, it ended with ${again.code}: ${again.stderr}`];
  if ((await eventsOf(source)) !== sourceEvents) {
    console.log('The source has changed by itself meanwhile.');
    return proveNothingAgain(source, target, there);
  }
  const changes = plansIn(again).flatMap(({ kind, created, changed }) =>
    [...created, ...changed].map((name) => `${kind} ${name}`),
  );
  const after = await eventsOf(target);
  console.log(`Run again: ${changes.length} things written, ${after - before} events.`);
  return [
    ...changes.map((each) => `run again, it wrote ${each}`),
    ...(after === before ? [] : [`run again, it wrote ${after - before} events`]),
  ];
}

/** The last of the results that a migration has printed as JSON. */
function plansIn({ stdout }: RanCommand): readonly PlannedKind[] {
  const start = stdout.lastIndexOf('\n{\n');
  return (JSON.parse(stdout.slice(Math.max(0, start))) as { kinds: PlannedKind[] }).kinds;
}

/** 0 for a server of a release without a search for them. */
async function eventsOf(server: Address): Promise<number> {
  const found = await send(server, get('/api/admin/search/events?limit=1')).catch(() => ({ total: 0 }));
  return (found as { total: number }).total;
}

await runCommand({ name: 'prove:migrate', help, options, run: prove });
