import { isDeepStrictEqual } from 'node:util';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { readItem } from '../../lib/store/read.ts';
import * as trendKeys from '../../lib/trends/keys.ts';
import { forgetTrendProgress, recordTrends } from '../../lib/trends/record-trends.ts';
import type { WeekItem } from '../../lib/trends/trend-items.ts';
import type { Trends } from '../../lib/trends/trends-schema.ts';
import { isoWeekOf } from '../../lib/values/iso-week.ts';
import { randomFrom } from '../harness/random.ts';
import { recordStoreRequests } from '../harness/store-requests.ts';
import { World } from '../harness/world.ts';
import { secondsSince, seedIn, usualOptions, verdictOn } from './options.ts';
import { Promises } from './promises.ts';
import { openMemoryStore, openService, type ProvedService, unhurriedMs } from './service.ts';
import { expectTrends, type Present } from './trends/expect-trends.ts';
import { dayMs, generateYear, storeYear } from './trends/generate-year.ts';

const help = `Proves that trends equal the events. A year of events and reports is generated on 100 projects, of which some are private. The
seven lists are compared with a computation that looks up each flag in its own events, for somebody who sees all projects, and for somebody
who does not see the private ones. The CSV must have the same numbers, a reply must take one request to the store, and recorders at the same
time must leave the same numbers. Prints how long a reply takes. Ends with PASS, or with FAIL and 1.

  npm run prove:trends -- [OPTIONS]

  --quick         20 projects and 400 flags instead of 100 and 5,000
  --seed 42       the same year again
  -h, --help      this text`;

const options = usualOptions;

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const seed = seedIn(values);
  const begin = performance.now();
  console.log(`Seed ${seed}: repeat with npm run prove:trends -- --seed ${seed}`);
  const promises = new Promises('trends');
  await using _store = await openMemoryStore();
  const service = await openService(undefined, unhurriedMs);
  const now = Date.now();
  const projects = Array.from({ length: values.quick ? 20 : 100 }, (_, index) => `project-${index}`);
  const isPrivate = (project: string) => project.endsWith('3');
  for (const project of projects) await createProject(service, project, isPrivate(project));
  const reader = await new World(service).token();
  const size = values.quick ? { flags: 400, reports: 1_000 } : { flags: 5_000, reports: 20_000 };
  const year = generateYear(randomFrom(seed), { projects, ...size, now });
  await storeYear(service.table, year);
  console.log(`${year.events.length} events and ${year.reports.length} reports, stored in ${secondsSince(begin)}`);

  const path = `/api/admin/insights?from=${new Date(now - 400 * dayMs).toISOString().slice(0, 10)}`;
  const read = async (token?: string, more = '') =>
    service.call('GET', `${path}${more}`, token === undefined ? {} : { headers: { authorization: token } });
  const start = performance.now();
  let first = await read();
  let requests = 1;
  for (; first.headers.warning !== undefined && requests < 100; requests += 1) first = await read();
  console.log(`${requests} requests, which record the year, took ${secondsSince(start)}`);
  promises.same('the year is recorded', [first.status, first.headers.warning ?? null], [200, null]);

  const visible = projects.filter((project) => !isPrivate(project));
  const compare = async (whom: string, seen: readonly string[], found: Trends) => {
    const expected = expectTrends(year, seen, await loadPresent(service, projects));
    for (const list of Object.keys(expected) as (keyof Trends)[]) {
      const differing = expected[list].findIndex((row, index) => !isDeepStrictEqual(row, found[list][index]));
      const isEqual = differing < 0 && expected[list].length === found[list].length;
      const difference = { expected: expected[list][differing], found: found[list][differing] };
      promises.hold(`${list} of ${whom} (${expected[list].length} rows)`, isEqual, difference);
    }
  };
  await compare('an administrator', projects, first.body);
  const restricted = await read(reader);
  await compare('somebody without the private projects', visible, restricted.body);
  const text = restricted.text + (await read(reader, '&format=csv')).text;
  promises.hold('no private project is named', !projects.some((id) => isPrivate(id) && text.includes(`${id}"`)));

  compareCsv(promises, (await read(undefined, '&format=csv')).text, first.body);

  const storeRequests = await recordStoreRequests(service.table, () => read());
  promises.same(
    'a reply takes one request to the store',
    storeRequests.map(({ command }) => command),
    ['Query'],
  );
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const before = performance.now();
    await read(undefined, `&round=${round}`);
    times.push(performance.now() - before);
  }
  const [median = 0] = times.toSorted((a, b) => a - b).slice(times.length / 2);
  const bytes = Buffer.byteLength(first.text);
  console.log(
    `A year of ${projects.length} projects (${bytes} bytes) takes ${median.toFixed(0)} ms (median of ${times.length})`,
  );

  await forgetTrendProgress(service.table);
  await Promise.all(Array.from({ length: 3 }, () => recordTrends(service.table, Date.now(), unhurriedMs)));
  await compare('an administrator, recorded again by three at once', projects, (await read()).body);
  return verdictOn(promises.broken, `${promises.count} promises, ${promises.broken.length} broken; --seed ${seed}.`);
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
