import { isDeepStrictEqual } from 'node:util';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { readItem } from '../../lib/store/read.ts';
import * as trendKeys from '../../lib/trends/keys.ts';
import { forgetTrendProgress, recordTrends } from '../../lib/trends/record-trends.ts';
import type { WeekItem } from '../../lib/trends/trend-items.ts';
import type { Trends } from '../../lib/trends/trends-schema.ts';
import { isoWeekOf } from '../../lib/values/iso-week.ts';
import { endlessTime } from '../../lib/values/time-budget.ts';
import type { Reply } from '../harness/gateway.ts';
import { randomFrom } from '../harness/random.ts';
import { recordStoreRequests } from '../harness/store-requests.ts';
import { World } from '../harness/world.ts';
import { secondsSince, seedIn, usualOptions, verdictOn } from './options.ts';
import { Promises } from './promises.ts';
import { openMemoryStore, openService, type ProvedService, unhurriedMs } from './service.ts';
import { expectTrends, type Present } from './trends/expect-trends.ts';
import { dayMs, generateYear, storeYear, type Year } from './trends/generate-year.ts';

const help = `Proves that trends equal the events. A year of events and reports is generated on 100 projects, of which some are private. The
seven lists are compared with a computation that looks up each flag in its own events, for somebody who sees all projects, and for somebody
who does not see the private ones. The CSV must have the same numbers, a reply must take one request to the store, and recorders at the same
time must leave the same numbers. Prints how long a reply takes. Ends with PASS, or with FAIL and 1.

  npm run prove:trends -- [OPTIONS]

  --quick         20 projects and 400 flags instead of 100 and 5,000
  --seed 42       the same year again
  -h, --help      this text`;

const options = usualOptions;

/** The year that a proof looks at, and how it looks at it. */
interface Stage {
  readonly service: ProvedService;
  readonly promises: Promises;
  readonly year: Year;
  readonly projects: readonly string[];
  /** The query of the whole year. */
  readonly path: string;
}

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  console.log(`Seed ${seed}: repeat with npm run prove:trends -- --seed ${seed}`);
  await using _store = await openMemoryStore();
  const stage = await setStage(seed, values.quick);
  const { promises } = stage;
  const { body, text } = await recordYear(stage);
  await compareLists(stage, 'an administrator', stage.projects, body);
  await proveForReader(stage);
  compareCsv(promises, (await read(stage, { more: '&format=csv' })).text, body);
  await proveCost(stage, Buffer.byteLength(text));
  await forgetTrendProgress(stage.service.table);
  await Promise.all(Array.from({ length: 3 }, () => recordTrends(stage.service.table, Date.now(), endlessTime)));
  const again = (await read(stage)).body;
  await compareLists(stage, 'an administrator, recorded again by three at once', stage.projects, again);
  return verdictOn(promises.broken, `${promises.count} promises, ${promises.broken.length} broken; --seed ${seed}.`);
}

const isPrivate = (project: string) => project.endsWith('3');

/** Generates and stores the year. */
async function setStage(seed: number, isQuick: boolean): Promise<Stage> {
  const start = performance.now();
  const service = await openService(undefined, unhurriedMs);
  const now = Date.now();
  const projects = Array.from({ length: isQuick ? 20 : 100 }, (_, index) => `project-${index}`);
  for (const project of projects) await createProject(service, project, isPrivate(project));
  const size = isQuick ? { flags: 400, reports: 1_000 } : { flags: 5_000, reports: 20_000 };
  const year = generateYear(randomFrom(seed), { projects, ...size, now });
  await storeYear(service.table, year);
  console.log(`${year.events.length} events and ${year.reports.length} reports, stored in ${secondsSince(start)}`);
  const path = `/api/admin/insights?from=${new Date(now - 400 * dayMs).toISOString().slice(0, 10)}`;
  return { service, promises: new Promises('trends'), year, projects, path };
}

/** Reads the year, as an administrator unless a token is given. */
function read({ service, path }: Stage, { token = '', more = '' } = {}): Promise<Reply> {
  return service.call('GET', `${path}${more}`, token === '' ? {} : { headers: { authorization: token } });
}

/** Reads until the whole year is recorded; each request records a part. */
async function recordYear(stage: Stage): Promise<Reply> {
  const start = performance.now();
  let reply = await read(stage);
  let requests = 1;
  for (; reply.headers.warning !== undefined && requests < 100; requests += 1) reply = await read(stage);
  console.log(`${requests} requests, which record the year, took ${secondsSince(start)}`);
  stage.promises.same('the year is recorded', [reply.status, reply.headers.warning ?? null], [200, null]);
  return reply;
}

/** Compares the lists that somebody gets with a computation from the events. */
async function compareLists(
  { service, promises, year, projects }: Stage,
  whom: string,
  seen: readonly string[],
  found: Trends,
): Promise<void> {
  const expected = expectTrends(year, seen, await loadPresent(service, projects));
  for (const list of Object.keys(expected) as (keyof Trends)[]) {
    const differing = expected[list].findIndex((row, index) => !isDeepStrictEqual(row, found[list][index]));
    const isEqual = differing < 0 && expected[list].length === found[list].length;
    const difference = { expected: expected[list][differing], found: found[list][differing] };
    promises.hold(`${list} of ${whom} (${expected[list].length} rows)`, isEqual, difference);
  }
}

/** Proves that the private projects are in nothing that somebody without them gets. */
async function proveForReader(stage: Stage): Promise<void> {
  const token = await new World(stage.service).token();
  const { body, text } = await read(stage, { token });
  const visible = stage.projects.filter((project) => !isPrivate(project));
  await compareLists(stage, 'somebody without the private projects', visible, body);
  const csv = (await read(stage, { token, more: '&format=csv' })).text;
  for (const [format, reply] of Object.entries({ json: text, csv })) {
    const named = stage.projects.filter((id) => new RegExp(`\\b${id}\\b`).test(reply));
    stage.promises.same(`the ${format} names the visible projects alone`, named, visible);
  }
}

/** Proves how many requests to the store a reply takes, and prints its time. */
async function proveCost(stage: Stage, bytes: number): Promise<void> {
  const storeRequests = await recordStoreRequests(stage.service.table, () => read(stage));
  stage.promises.same(
    'a reply takes one request to the store',
    storeRequests.map(({ command }) => command),
    ['Query'],
  );
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    await read(stage, { more: `&round=${round}` });
    times.push(performance.now() - start);
  }
  const [median = 0] = times.toSorted((a, b) => a - b).slice(times.length / 2);
  console.log(
    `A year of ${stage.projects.length} projects (${bytes} bytes) takes ${median.toFixed(0)} ms (median of ${times.length})`,
  );
}

async function createProject(service: ProvedService, id: string, isPrivate: boolean): Promise<void> {
  const created = await service.call('POST', '/api/admin/projects', { body: { id, name: id } });
  if (created.status !== 201) throw new Error(`The project ${id} was not created: ${created.text}`);
  if (isPrivate) await service.call('PUT', `/api/admin/projects/${id}`, { body: { name: id, mode: 'private' } });
}

async function loadPresent(service: ProvedService, projects: readonly string[]): Promise<Present> {
  const item = await readItem<WeekItem>(service.table, trendKeys.week(isoWeekOf(Date.now()).name));
  const [types, users, listed] = await Promise.all([
    service.call('GET', '/api/admin/feature-types'),
    service.call('GET', '/api/admin/user-admin'),
    service.call('GET', '/api/admin/projects'),
  ]);
  const lifetimes = types.body.types.map(({ id, lifetimeDays }: Record<string, unknown>) => [id, lifetimeDays]);
  const members = listed.body.projects
    .filter(({ id }: { id: string }) => projects.includes(id))
    .map(({ id, memberCount }: Record<string, unknown>) => [id, memberCount]);
  return {
    now: item?.until ?? 0,
    lifetimes: new Map(lifetimes),
    users: users.body.users,
    members: new Map(members),
  };
}

/** Compares each row of the CSV with those of the lists. */
function compareCsv(promises: Promises, csv: string, trends: Trends): void {
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  const columns = head.split(',');
  const rows = lines.map((line) => new Map(line.split(',').map((field, index) => [columns[index] ?? '', field])));
  promises.same('the CSV has a row for each project and week', rows.length, trends.projectFlagTrends.length);
  const metrics = new Map(trends.metricsSummaryTrends.map((each) => [`${each.week} ${each.project}`, each]));
  const differing = rows.filter((row, index) => {
    const place = `${row.get('week')} ${row.get('project')}`;
    const { createdFlags = {}, ...created } = trends.creationArchiveTrends[index] ?? {};
    const numbers = {
      ...trends.projectFlagTrends[index],
      ...trends.lifecycleTrends[index],
      ...created,
      ...metrics.get(place),
      ...Object.fromEntries(Object.entries(createdFlags).map(([type, count]) => [`createdFlags.${type}`, count])),
    };
    return !Object.entries(numbers).every(([name, value]) => row.get(name) === String(value));
  });
  promises.same(
    'the CSV has the numbers of the lists',
    differing.slice(0, 3).map((row) => [...row]),
    [],
  );
  const updatesInCsv = rows.reduce((sum, row) => sum + Number(row.get('updates.production')), 0);
  const updates = trends.environmentTypeTrends
    .filter(({ environmentType }) => environmentType === 'production')
    .reduce((sum, { totalUpdates }) => sum + totalUpdates, 0);
  promises.same('the CSV has the updates of the lists', updatesInCsv, updates);
}

await runCommand({ name: 'prove:trends', help, options, run: prove });
