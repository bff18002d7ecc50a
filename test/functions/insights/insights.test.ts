import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import { readItem } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import * as trendKeys from '../../../lib/trends/keys.ts';
import { forgetTrendProgress, recordFinishedWeeks, recordTrends } from '../../../lib/trends/record-trends.ts';
import { loadWeekItems } from '../../../lib/trends/recorded-weeks.ts';
import { formatWeek } from '../../../lib/trends/trend-items.ts';
import { flushUsage } from '../../../lib/usage/register-usage.ts';
import { isoWeekOf } from '../../../lib/values/iso-week.ts';
import { endlessTime } from '../../../lib/values/time-budget.ts';
import { addFeatures, paths } from '../../harness/features.ts';
import { type Service, serviceOn } from '../../harness/service.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { freshTable } from '../../harness/table.ts';
import { World } from '../../harness/world.ts';
import { specify } from '../../specifications/specify.ts';

specify('getInsights', {
  route: 'GET /api/admin/insights',
  may: 'any token',
  given: async (world) => {
    await world.feature({ environment: 'production', on: true });
    // The first request after a while records the numbers.
    await world.ask('GET', '/api/admin/insights');
  },
  request: () => ({ query: { from: '2026-10-01', to: '2099-12-31', projects: 'default', format: 'json' } }),
});

const path = '/api/admin/insights';
const dayMs = 86_400_000;

describe('Weekly numbers', () => {
  let service: Service;
  let world: World;
  // A Monday, in the week 52 of 2026. The year has 53.
  const start = Date.UTC(2026, 11, 21, 9);
  const goTo = (weeks: number, days = 0) => vi.setSystemTime(start + (weeks * 7 + days) * dayMs);

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    // A fresh store is copied from one of the present time, which may be later.
    const table = await freshTable();
    await prepareStore(table, { adminTokens: [] });
    service = await serviceOn(table);
    world = new World(service);
  });
  afterEach(() => void vi.useRealTimers());

  const read = async (query = 'from=2026-12-21', options = {}) => {
    const { status, body } = await service.get(`${path}?${query}`, options);
    expect(status).toBe(200);
    return body;
  };
  const flag = (name: string) => paths.feature(name);
  const on = async (name: string, environment: string) => {
    await service.post(`${flag(name)}/environments/${environment}/strategies`, { name: 'default' });
    expect((await service.post(`${flag(name)}/environments/${environment}/on`)).status).toBe(200);
  };

  test('are those of the events, week by week, also over a year with 53 weeks', async () => {
    await addFeatures(service, ['one', 'two', 'three']);
    await service.put(flag('two'), { type: 'experiment' });
    goTo(0, 2);
    await on('one', 'development');
    goTo(1);
    await on('one', 'production');
    await service.post(`${flag('one')}/environments/production/off`);
    await service.post(`${flag('one')}/environments/production/on`);
    await service.call('PATCH', flag('two'), { body: [{ op: 'replace', path: '/stale', value: true }] });
    goTo(2);
    await service.call('DELETE', flag('three'));
    await service.call('DELETE', flag('two'));
    await service.post('/api/admin/projects/default/features', { name: 'four', type: 'operational' });
    goTo(4);
    const { flagTrends, projectFlagTrends, lifecycleTrends, creationArchiveTrends, ...body } = await read();
    const dates = ['2026-12-27', '2027-01-03', '2027-01-10', '2027-01-17', '2027-01-24'];
    const weeks = ['2026-52', '2026-53', '2027-01', '2027-02', '2027-03'];
    const counts = [
      { total: 3, active: 3, stale: 0, potentiallyStale: 0 },
      { total: 3, active: 2, stale: 1, potentiallyStale: 0 },
      { total: 2, active: 2, stale: 0, potentiallyStale: 0 },
      // The operational flag is older than seven days.
      { total: 2, active: 1, stale: 0, potentiallyStale: 1 },
      { total: 2, active: 1, stale: 0, potentiallyStale: 1 },
    ];
    const places = weeks.map((week, index) => ({ week, date: dates[index], project: 'default' }));
    expect(flagTrends).toEqual(counts.map((flags, index) => ({ date: dates[index], ...flags })));
    expect(projectFlagTrends).toMatchObject(counts.map((flags, index) => ({ ...places[index], ...flags })));
    const health = [100, 67, 100, 100, 100];
    expect(projectFlagTrends).toMatchObject(health.map((rating) => ({ health: rating, technicalDebt: 100 - rating })));
    const times = [undefined, 7, 7, 7, 7];
    expect(projectFlagTrends.map((row: { timeToProduction?: number }) => row.timeToProduction)).toEqual(times);
    expect(lifecycleTrends).toEqual(
      places.map((place, index) => ({ ...place, newProductionFlags: [0, 1, 0, 0, 0][index] })),
    );
    // Unleash's admin UI fails if there is no type.
    const none = { release: 0 };
    const created = [{ release: 3 }, none, { operational: 1 }, none, none];
    expect(creationArchiveTrends).toEqual(
      places.map((place, index) => ({ ...place, createdFlags: created[index], archivedFlags: [0, 0, 2, 0, 0][index] })),
    );
    const updates = (type: string) =>
      body.environmentTypeTrends
        .filter(({ environmentType }: { environmentType: string }) => environmentType === type)
        .map(({ totalUpdates }: { totalUpdates: number }) => totalUpdates);
    expect(updates('development')).toEqual([2, 0, 0, 0, 0]);
    expect(updates('production')).toEqual([0, 4, 0, 0, 0]);
  });

  test('follow a flag from one project to another, and end with its deletion', async () => {
    const project = await world.project({ environments: ['development', 'production'] });
    await addFeatures(service, ['moved']);
    goTo(1);
    expect((await service.post(`${flag('moved')}/changeProject`, { newProjectId: project })).status).toBe(200);
    goTo(2);
    await service.call('DELETE', paths.feature('moved', project));
    await service.call('DELETE', '/api/admin/archive/moved');
    const { projectFlagTrends } = await read();
    const totals = projectFlagTrends.map(({ week, project: id, total }: Record<string, unknown>) => [week, id, total]);
    expect(totals).toEqual([
      ['2026-52', 'default', 1],
      ['2026-53', project, 1],
      ['2027-01', project, 0],
    ]);
  });

  test('count users when they exist, and who signed in lately as active', async () => {
    const users = async () => (await read()).userTrends;
    const before = (await users())[0].total;
    goTo(1);
    const { body: user } = await service.post('/api/admin/user-admin', { email: 'new@example.com', rootRole: 3 });
    goTo(2);
    await service.call('DELETE', `/api/admin/user-admin/${user.id}`);
    goTo(3);
    expect((await users()).map(({ total }: { total: number }) => total)).toEqual([before, before + 1, before, before]);
  });

  test('keep the users of their time if they are computed again after many weeks', async () => {
    await addFeatures(service, ['one']);
    const { id } = await world.user();
    goTo(60);
    await read();
    await recordTrends(service.table, Date.now(), endlessTime);
    await service.call('DELETE', `/api/admin/user-admin/${id}`);
    goTo(61);
    await forgetTrendProgress(service.table);
    const totals = (await read()).userTrends.map(({ total }: { total: number }) => total);
    expect(new Set(totals.slice(0, 60))).toEqual(new Set([2]));
    expect(totals.at(-1)).toBe(1);
  });

  test('have the evaluations that SDKs report, with the applications, environments and flags', async () => {
    await addFeatures(service, ['asked', 'other']);
    const token = await world.sdkToken('client');
    const report = async (appName: string, toggles: object) => {
      const at = new Date().toISOString();
      const body = { appName, instanceId: 'i', bucket: { start: at, stop: at, toggles } };
      expect((await service.post('/api/client/metrics', body, { token })).status).toBe(202);
      await flushUsage(service.table);
    };
    await report('web', { asked: { yes: 3, no: 4 }, unknown: { yes: 9, no: 9 } });
    await report('shop', { asked: { yes: 1, no: 0 }, other: { yes: 0, no: 1 } });
    goTo(1);
    await report('web', { asked: { yes: 5, no: 0 } });
    const place = { project: 'default', totalEnvironments: 1 };
    const expected = [
      {
        ...place,
        week: '2026-52',
        date: '2026-12-27',
        totalYes: 4,
        totalNo: 5,
        totalRequests: 9,
        totalApps: 2,
        totalFlags: 2,
      },
      {
        ...place,
        week: '2026-53',
        date: '2027-01-03',
        totalYes: 5,
        totalNo: 0,
        totalRequests: 5,
        totalApps: 1,
        totalFlags: 1,
      },
    ];
    expect((await read()).metricsSummaryTrends).toEqual(expected);
    goTo(2);
    await forgetTrendProgress(service.table);
    expect((await read()).metricsSummaryTrends).toEqual(expected);
  });

  test('leave no trace of a project that the caller may not see', async () => {
    const project = await world.project();
    const reader = await world.token();
    await addFeatures(service, ['visible']);
    goTo(1);
    await addFeatures(service, ['hidden'], { project });
    await service.post(`${paths.feature('hidden', project)}/environments/development/strategies`, { name: 'default' });
    goTo(2);
    const without = await read('from=2026-12-21', { token: reader });
    expect(without.projectFlagTrends.some((row: { project: string }) => row.project === project)).toBe(true);
    await service.put(`/api/admin/projects/${project}`, { name: project, mode: 'private' });
    const seen = JSON.stringify(await read('from=2026-12-21', { token: reader }));
    expect(seen).not.toContain(project);
    expect(JSON.parse(seen).environmentTypeTrends).toEqual([]);
    expect(JSON.parse(seen).flagTrends.map(({ total }: { total: number }) => total)).toEqual([1, 1, 1]);
  });

  test('are the same as CSV, with a row for each project and week', async () => {
    const project = await world.project();
    await addFeatures(service, ['one']);
    await addFeatures(service, ['two'], { project });
    goTo(1);
    const { projectFlagTrends } = await read();
    const byFormat = await service.get(`${path}?from=2026-12-21&format=csv`);
    const byHeader = await service.get(`${path}?from=2026-12-21`, { headers: { accept: 'text/csv' } });
    expect(byFormat.text).toBe(byHeader.text);
    expect(byFormat.headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head = '', ...rows] = byFormat.text.trimEnd().split('\r\n');
    const columns = head.split(',');
    const parsed = rows.map((row) => Object.fromEntries(row.split(',').map((field, index) => [columns[index], field])));
    const shown = projectFlagTrends.map(({ week, date, project: id, total, health }: Record<string, unknown>) => {
      return { week, date, project: id, total: String(total), health: String(health) };
    });
    expect(parsed).toMatchObject(shown);
    expect(parsed.map((row) => row['createdFlags.release'])).toEqual(['1', '1', '0', '0']);
  });

  test('count the changes of environments whose type has any name', async () => {
    const project = await world.project();
    await service.post('/api/admin/environments', { name: 'odd', type: 'constructor' });
    await service.post('/api/admin/projects/default/environments', { environment: 'odd' });
    await addFeatures(service, ['one']);
    await addFeatures(service, ['two'], { project });
    await service.post(`${paths.feature('one', 'default')}/environments/odd/strategies`, { name: 'default' });
    const counts = (await read()).environmentTypeTrends.map(
      ({ totalUpdates }: { totalUpdates: number }) => totalUpdates,
    );
    expect(counts.every(Number.isInteger)).toBe(true);
    expect((await service.get(`${path}?format=csv`)).text).not.toContain('function');
  });

  test('are those of the asked projects and days', async () => {
    const project = await world.project();
    await addFeatures(service, ['one']);
    await addFeatures(service, ['two', 'three'], { project });
    goTo(2);
    const totals = async (query: string) =>
      (await read(query)).flagTrends.map(({ date, total }: { date: string; total: number }) => [date, total]);
    expect(await totals(`from=2026-12-28&to=2026-12-28&projects=${project}`)).toEqual([['2027-01-03', 2]]);
    expect(await totals('from=2027-01-04')).toEqual([['2027-01-10', 3]]);
    expect(await totals('from=2027-01-11')).toEqual([]);
    expect(await totals('to=2026-12-27')).toEqual([['2026-12-27', 3]]);
    const wrong = await service.get(`${path}?from=1.1.2026`);
    expect([wrong.status, wrong.body.message]).toEqual([400, 'from: A date such as 2026-12-31 is required.']);
  });

  test('of too many projects for one reply leave out the oldest weeks, and say so', async () => {
    const trend = { total: 1, stale: 0, potentiallyStale: 0, newProductionFlags: 0, archivedFlags: 0 };
    const numbers = { ...trend, createdFlags: {}, updates: {} };
    const projects = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`project-${index}`, numbers]));
    for (let week = 0; week < 6; week += 1) {
      goTo(week);
      const item = { until: Date.now(), content: formatWeek({ users: { total: 1, active: 1 }, projects }) };
      await transact(service.table, [{ put: trendKeys.week(isoWeekOf(Date.now()).name), item }], undefined);
    }
    const { body, headers } = await service.get(path);
    expect(body.flagTrends.map(({ total }: { total: number }) => total)).toEqual([1_500, 1_500, 1_500, 1_500]);
    expect(headers.warning).toContain('Earlier weeks are left out');
    const few = await service.get(`${path}?projects=project-1`);
    expect([few.body.flagTrends.length, few.headers.warning]).toEqual([6, undefined]);
  });

  test('take one request to the store once they are recorded', async () => {
    await addFeatures(service, ['one']);
    goTo(3);
    await read();
    const requests = await recordStoreRequests(service.table, () => read());
    expect(requests.map(({ command, targets }) => [command, targets])).toEqual([['Query', ['TRENDS 2026-52']]]);
  });

  test('are completed by the next request if a record of many weeks was cut short', async () => {
    await addFeatures(service, ['one']);
    goTo(120);
    expect(await recordTrends(service.table, Date.now(), { isOver: () => true })).toBe(false);
    const { flagTrends } = await read();
    expect(flagTrends).toHaveLength(121);
    expect(flagTrends.at(-1)).toMatchObject({ total: 1, potentiallyStale: 1 });
  });

  test('are recorded by the clock when a week is over, once somebody has asked for them', async () => {
    const recorded = async () => (await loadWeekItems(service.table, '2026-52')).map(({ sk }) => sk);
    await recordFinishedWeeks(service.table, new Date());
    expect(await recorded()).toEqual([]);
    await read();
    goTo(2);
    await recordFinishedWeeks(service.table, new Date());
    expect(await recorded()).toEqual(['2026-52', '2026-53', '2027-01']);
  });

  test('are recorded once, although processes die in between and others record at the same time', async () => {
    await addFeatures(service, ['one', 'two']);
    goTo(1);
    await read();
    await service.call('DELETE', flag('two'));
    goTo(4);
    const once = await read();
    await forgetTrendProgress(service.table);
    await Promise.all(Array.from({ length: 4 }, () => recordTrends(service.table, Date.now(), endlessTime)));
    expect(await read()).toEqual(once);
    // The state of the last final week is lost.
    const progress = (await readItem<{ until: number; parts: number }>(service.table, trendKeys.progress())) as never;
    expect(progress).toMatchObject({ parts: 1 });
    await transact(service.table, [{ remove: trendKeys.statePart('2027-02', 0) }], undefined);
    goTo(5);
    const after = await read();
    expect(after.flagTrends.slice(0, 4)).toEqual(once.flagTrends.slice(0, 4));
    expect(after.flagTrends).toHaveLength(6);
  });
});
