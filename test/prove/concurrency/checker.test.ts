import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { check } from './check/checker.ts';
import type { ClientRequest } from './history.ts';
import { refuse, Script, type ScriptedCall, stretch } from './testing/script.ts';

const place = { project: 'default', feature: 'one' } as const;
const inDevelopment = { ...place, environment: 'development' } as const;
const describeAs = (description: string): ClientRequest => ({ kind: 'update', ...place, change: { description } });
const look: ClientRequest = { kind: 'update', ...place, change: {} };
const addStrategy = (title: string): ClientRequest => ({
  kind: 'add strategy',
  ...inDevelopment,
  strategy: { name: 'default', title },
});
const addTag = (value: string): ClientRequest => ({ kind: 'add tag', feature: 'one', tag: { type: 'simple', value } });
const importFile = (description: string, enabled = true): ClientRequest => ({
  kind: 'import',
  project: 'default',
  environment: 'development',
  features: ['one', 'two'].map((name) => ({ name, fields: { description }, enabled, strategies: [] })),
});
const move: ClientRequest = { kind: 'move', ...place, newProject: 'shop' };
const moveBack: ClientRequest = { kind: 'move', feature: 'one', project: 'shop', newProject: 'default' };
const inShop = { project: 'shop', feature: 'one' } as const;
const lookInShop: ClientRequest = { kind: 'update', ...inShop, change: {} };
const cloneAs = (name: string): ClientRequest => ({ kind: 'clone', ...place, name, replaceGroupId: true });
const removeTwo: readonly ClientRequest[] = [
  { kind: 'archive', project: 'default', feature: 'two' },
  { kind: 'delete', feature: 'two' },
];
const idOf = ({ answer }: ScriptedCall): string => answer.body.id;
const changeTitle = (strategyId: string, title: string): ClientRequest => ({
  ...{ kind: 'update strategy', ...inDevelopment, strategyId, change: { title } },
});
const deleteStrategy = (strategyId: string): ClientRequest => ({
  kind: 'delete strategy',
  ...inDevelopment,
  strategyId,
});
const strategiesIn = ({ answer }: ScriptedCall): { id: string; title: string | null; sortOrder: number }[] =>
  answer.body.environments.find(({ name }: { name: string }) => name === 'development').strategies;
const off: ClientRequest = {
  kind: 'bulk off',
  project: 'default',
  environment: 'development',
  features: ['one', 'two'],
};
const setDefault = (title: string): ClientRequest => ({
  kind: 'default strategy',
  project: 'default',
  environment: 'development',
  strategy: { name: 'default', title },
});
const addStaging: ClientRequest = { kind: 'add environment', project: 'default', environment: 'staging' };
const readEvents: ClientRequest = { kind: 'read events', feature: 'one' };
const readArchive: ClientRequest = { kind: 'read archive', project: 'default' };
const readEnvironments: ClientRequest = { kind: 'read environments' };

const addPlan: ClientRequest = { kind: 'add plan', ...inDevelopment, templateId: 'template' };
const planKnownBy = ({ answer }: ScriptedCall) => ({ ...inDevelopment, planId: answer.body.id as string });
const runClock = (now: string): ClientRequest => ({ kind: 'clock', now, features: ['one', 'two'] });
const [early, late] = ['2026-01-01T00:00:30.000Z', '2026-01-01T01:00:00.000Z'] as const;

let script: Script;
const messages = () => check(script.history()).map(({ message }) => message);
const expectAnomaly = (pattern: RegExp) => expect(messages().join('\n')).toMatch(pattern);
const eventsOf = (call: ScriptedCall, feature = 'one') =>
  (script.events.get(feature) ?? []).filter(({ createdBy, createdAt }) => {
    const time = Date.parse(createdAt);
    return createdBy === call.client && call.beganAt <= time && time <= call.endedAt;
  });
/** The first event of a call, which has one. */
const eventOf = (call: ScriptedCall) => eventsOf(call)[0] as NonNullable<ReturnType<typeof eventsOf>[0]>;
const forget = (call: ScriptedCall, feature = 'one') => {
  const events = eventsOf(call, feature);
  script.events.set(feature, script.events.get(feature)?.filter((event) => !events.includes(event)) ?? []);
};

beforeEach(() => {
  script = new Script();
  script.call('ann', importFile('made'));
});

describe('A history is right', () => {
  afterEach(() => expect(messages()).toEqual([]));

  test('in which one call comes after the other', () => {
    script.call('ann', describeAs('first'));
    script.call('bob', addStrategy('a'));
    script.call('ann', addTag('new'));
    script.call('bob', { kind: 'update', ...place, change: { archived: true, stale: true } });
    script.call('cid', readArchive);
    script.call('bob', { kind: 'update', ...place, change: { archived: false } });
    script.call('ann', { kind: 'read variants', ...inDevelopment });
    script.call('bob', { kind: 'archive', ...place });
    script.call('cid', readArchive);
    script.call('bob', { kind: 'delete', feature: 'one' });
    script.call('cid', readEvents);
    script.call('cid', readArchive);
    script.call('bob', { kind: 'create', ...place, fields: { description: 'again' } });
    script.call('cid', readEvents);
    script.call('bob', { kind: 'archive', ...place });
    script.call('bob', { kind: 'revive', feature: 'one' });
    script.call('cid', readEnvironments);
    script.call('ann', { kind: 'variants', ...inDevelopment, variants: [{ name: 'a', weight: 1000 }] });
    script.call('ann', { kind: 'read variants', ...inDevelopment });
    script.call('bob', look);
    script.call('cid', readEnvironments);
    script.call('ann', off);
    script.call('cid', readEnvironments);
    script.call('cid', readEvents);
    script.call('ann', setDefault('a'));
    script.call('ann', setDefault('b'));
    script.call('bob', importFile('again'));
    script.call('bob', importFile('again'));
    script.call('ann', addStaging);
    script.call('cid', readEnvironments);
    script.call('bob', look);
  });

  test('in which a plan is started, paused, timed, moved on by the clock, and removed', () => {
    const added = script.call('ann', addPlan);
    const [few, all] = added.answer.body.milestones.map(({ id }: { id: string }) => id);
    const plan = planKnownBy(added);
    script.call('clock', runClock(early));
    script.call('bob', { kind: 'pause plan', ...plan });
    script.call('clock', runClock(late));
    script.call('ann', { kind: 'time milestone', ...inDevelopment, milestoneId: few, targetId: all, minutes: 2 });
    script.call('bob', { kind: 'resume plan', ...plan });
    script.call('clock', runClock(late));
    script.call('bob', look);
    script.call('ann', { kind: 'start milestone', ...plan, milestoneId: few });
    script.call('ann', { kind: 'update', ...place, change: { archived: true } });
    script.call('clock', runClock(late));
    script.call('ann', { kind: 'update', ...place, change: { archived: false } });
    script.call('ann', { kind: 'untime milestone', ...inDevelopment, milestoneId: few });
    script.call('clock', runClock(late));
    script.call('ann', { kind: 'off', ...inDevelopment });
    script.call('bob', { kind: 'remove plan', ...plan });
    script.call('bob', { kind: 'on', ...inDevelopment });
    script.call('cid', readEvents);
  });

  test('in which a feature is moved, and found in one project only', () => {
    script.call('ann', addStrategy('a'));
    script.call('ann', move);
    script.call('bob', lookInShop);
    script.refused('bob', look, 404, 'There is no feature in the project "default" named "one".');
    script.call('bob', {
      kind: 'add strategy',
      ...inShop,
      environment: 'development',
      strategy: { name: 'flexibleRollout' },
    });
    script.call('bob', { kind: 'archive', ...inShop });
    script.call('cid', readArchive);
    script.call('cid', { kind: 'read archive', project: 'shop' });
    script.call('ann', moveBack);
    script.call('cid', readArchive);
    script.call('cid', readEvents);
  });

  test('in which a feature cannot go to a project of other environments', () => {
    script.call('ann', addStaging);
    script.refused('bob', move, 409, 'The environment "staging" is only in the project "default".');
  });

  test('in which a feature moves while its project gets an environment, without it', () => {
    const moved = script.call('ann', move);
    script.call('cid', { ...look, feature: 'two' });
    const added = script.call('bob', addStaging);
    stretch(added, moved, added);
  });

  test('in which a feature is cloned, while it changes', () => {
    for (const request of removeTwo) script.call('ann', request);
    script.call('ann', { kind: 'variants', ...inDevelopment, variants: [{ name: 'a', weight: 1000 }] });
    const before = script.call('ann', addStrategy('a'));
    const clone = script.call('bob', cloneAs('two'));
    const after = script.call('ann', describeAs('later'));
    stretch(clone, before, after);
    script.refused('cid', cloneAs('two'), 409, 'There is already a feature with the name "two".');
    script.call('cid', { kind: 'update', project: 'default', feature: 'two', change: {} });
    for (const request of removeTwo) script.call('ann', request);
    const unknown: ClientRequest = { kind: 'clone', ...inShop, name: 'two', replaceGroupId: true };
    script.refused('cid', unknown, 404, 'There is no feature in the project "shop" named "one".');
  });

  test('in which strategies are changed, put in another order and deleted', () => {
    const [a, b] = [script.call('ann', addStrategy('a')), script.call('bob', addStrategy('b'))];
    script.call('ann', changeTitle(idOf(a), 'other'));
    script.call('ann', changeTitle(idOf(a), 'other'));
    script.call('bob', {
      ...{ kind: 'patch strategy', ...inDevelopment, strategyId: idOf(b), change: { disabled: true, sortOrder: 7 } },
    });
    script.call('ann', { kind: 'order strategies', ...inDevelopment, order: [{ id: idOf(a), sortOrder: 9 }] });
    script.call('cid', look);
    script.call('ann', deleteStrategy(idOf(a)));
    script.refused('bob', changeTitle('unknown', 'late'), 404, 'There is no strategy "unknown".');
    script.call('cid', look);
    script.call('cid', readEvents);
    script.call('cid', readEnvironments);
  });

  test('in which a read meets what was there before a change that is under way, or after it', () => {
    const before = script.call('bob', look);
    const change = script.call('ann', describeAs('first'));
    const after = script.call('bob', look);
    stretch(change, before, after);
  });

  test.each([true, false])('in which a call of an unknown outcome was carried out: %s', (isDone) => {
    script.isFaulty = true;
    const lost = script.call('ann', addTag('lost'));
    refuse(lost, 503, 'busy');
    if (!isDone) {
      forget(lost);
      script.serviceEvents = script.serviceEvents.filter(({ type }) => type !== 'tag-created');
    }
  });

  test('in which a call that was sent again with its key has one effect', () => {
    script.isFaulty = true;
    const call = script.call('ann', addStrategy('a'));
    const again = structuredClone({ ...call, number: 99 });
    Object.assign(again, {
      begin: call.end + 1,
      end: call.end + 2,
      beganAt: call.endedAt + 1,
      endedAt: call.endedAt + 2,
    });
    refuse(call, 503, 'busy');
    for (const each of [call, again]) each.key = 'key';
    script.calls.push(again);
  });

  test('in which a change that is bound to an older version is refused', () => {
    const call = script.call('ann', { kind: 'update', ...place, change: {} });
    call.ifMatch = 7;
    refuse(call, 412, 'The feature "one" was changed.');
  });
});

describe('It is noticed', () => {
  test('when an update is lost: two changes begin with the same state', () => {
    const [first, second] = [
      script.call('ann', describeAs('first')),
      script.call('bob', { ...look, change: { stale: true } } as ClientRequest),
    ];
    stretch(first, first, second);
    const event = eventOf(second);
    event.data = { ...event.data, description: 'made' };
    event.preData = { ...event.preData, description: 'made' };
    expectAnomaly(/events of call 3 are not what it does/);
  });

  test('when a change is lost that was acknowledged', () => {
    script.call('ann', describeAs('first'));
    const seen = script.call('bob', look);
    seen.answer.body.description = 'made';
    expectAnomaly(/Call 3 cannot be explained/);
  });

  test('when an event is there twice, under two numbers', () => {
    const call = script.call('ann', addTag('new'));
    script.events.get('one')?.push({ ...eventOf(call), id: 99 });
    expectAnomaly(/events of call 2 are not what it does/);
  });

  test('when a change is carried out twice', () => {
    const call = script.call('ann', addStrategy('a'));
    const other = script.call('bob', describeAs('between'));
    const again = script.call('ann', addStrategy('a'));
    for (const event of eventsOf(again)) event.createdAt = new Date(call.beganAt + 1).toISOString();
    script.calls.splice(script.calls.indexOf(again), 1);
    stretch(call, call, other);
    expectAnomaly(/Call 2 was carried out more than once/);
  });

  test('when a change has no event', () => {
    forget(script.call('ann', describeAs('first')));
    expectAnomaly(/Call 2 cannot be explained/);
  });

  test('when an event has no change that anybody asked for', () => {
    eventOf(script.call('ann', describeAs('first'))).createdBy = 'nobody';
    expectAnomaly(/Nobody asked for the event/);
  });

  test('when a read is stale', () => {
    const old = structuredClone(script.call('bob', look).answer);
    script.call('ann', describeAs('first'));
    script.call('bob', look).answer = old;
    expectAnomaly(/Call 4 cannot be explained/);
  });

  test('when a read goes back behind what another one has seen, while the change is under way', () => {
    const old = script.call('bob', look);
    const change = script.call('ann', describeAs('first'));
    const seen = script.call('bob', look);
    const late = script.call('cid', look);
    stretch(change, old, late);
    expect(messages()).toEqual([]);
    late.answer = structuredClone(old.answer);
    expectAnomaly(new RegExp(`Call ${late.number} cannot be explained`));
    expect(seen.answer.body.description).toBe('first');
  });

  test('when a list of events lacks the latest, or counts wrong', () => {
    script.call('ann', describeAs('first'));
    const read = script.call('bob', readEvents);
    read.answer.body.events.shift();
    expectAnomaly(/Call 3 cannot be explained/);
    read.answer.body.totalEvents -= 1;
    expectAnomaly(/Call 3 cannot be explained/);
  });

  test('when changes stand in another order than that in which they were made', () => {
    const first = script.call('ann', describeAs('first'));
    const second = script.call('bob', describeAs('second'));
    const [a, b] = [{ ...first }, { ...second }];
    const swap = ({ begin, end, beganAt, endedAt }: ScriptedCall) => ({ begin, end, beganAt, endedAt });
    Object.assign(first, swap(b));
    Object.assign(second, swap(a));
    for (const [call, was] of [
      [first, a],
      [second, b],
    ] as const) {
      const event = script.events
        .get('one')
        ?.find(({ createdBy, createdAt }) => createdBy === was.client && Date.parse(createdAt) === was.beganAt + 1);
      if (event !== undefined) event.createdAt = new Date(call.beganAt + 1).toISOString();
    }
    expectAnomaly(/was answered before call \d+ began, but changed the feature after it/);
  });

  test('when numbers of events do not rise', () => {
    const call = script.call('ann', describeAs('first'));
    for (const event of eventsOf(call)) event.id = 0;
    expectAnomaly(/events of one do not rise/);
  });

  test('when an answer is not what the change made, or tells another version', () => {
    const call = script.call('ann', addStrategy('a'));
    call.answer.body.sortOrder = 7;
    expectAnomaly(/Call 2 did not answer what it did/);
    call.answer.body.sortOrder = 1;
    expect(messages()).toEqual([]);
    call.answer.version = 1;
    expectAnomaly(/Call 2 did not answer what it did/);
  });

  test('when an import is torn apart', () => {
    forget(script.call('ann', importFile('second')), 'two');
    expectAnomaly(/Call 2 cannot be explained/);
    expectAnomaly(/Call 2 did not do all at once/);
  });

  test('when a call of an unknown outcome did half of what it was asked', () => {
    script.isFaulty = true;
    const lost = script.call('ann', importFile('second'));
    refuse(lost, 503, 'busy');
    forget(lost, 'two');
    expectAnomaly(/Call 2 cannot be explained/);
  });

  test('when a refused call was carried out', () => {
    refuse(script.call('ann', describeAs('first')), 404, 'There is no feature "one".');
    expectAnomaly(/Call 2 was refused, but made events/);
  });

  test.each([
    [404, 'The feature "one" is archived.'],
    [400, 'A feature has at most 30 strategies.'],
    [412, 'The feature "one" was changed.'],
  ])('when a %i has no reason', (status, message) => {
    const call = script.call('ann', addStrategy('a'));
    call.ifMatch = 1;
    forget(call);
    refuse(call, status, message);
    expectAnomaly(/Call 2 cannot be explained/);
  });

  test('when a change happens in spite of another version', () => {
    script.call('ann', addStrategy('a')).ifMatch = 7;
    expectAnomaly(/Call 2 did not answer what it did/);
  });

  test('when a feature has a 31st strategy', () => {
    for (let index = 0; index < 29; index += 1) script.call('ann', addStrategy(`strategy ${index}`));
    const call = script.calls.at(-1) as ScriptedCall;
    const event = eventOf(call);
    const copy = structuredClone({ ...call, number: 99, client: 'bob' });
    stretch(copy, call, call);
    script.calls.push(copy);
    script.events.get('one')?.push({ ...structuredClone(event), id: 999, createdBy: 'bob' } as never);
    expectAnomaly(/events of call 99 are not what it does/);
  });

  test('when weights do not add up', () => {
    script.call('ann', addStrategy('a'));
    const seen = script.call('bob', look);
    const variant = { name: 'all', weight: 999, weightType: 'variable', stickiness: 'default' };
    seen.answer.body.environments[0].strategies[0].variants = [variant];
    expectAnomaly(/Call 3 cannot be explained/);
  });

  test('when a count is wrong', () => {
    const call = script.call('cid', readEnvironments);
    call.answer.body.environments[0].enabledToggleCount = 3;
    expectAnomaly(/found 3 as enabledToggleCount of development, which was 2/);
  });

  test('when the archive lacks an archived feature, or lists a live one', () => {
    const before = script.call('cid', readArchive);
    script.call('ann', { kind: 'update', ...place, change: { archived: true } });
    const after = script.call('cid', readArchive);
    [before.answer, after.answer] = [after.answer, before.answer];
    expectAnomaly(/Call 2 cannot be explained/);
    expectAnomaly(/Call 4 cannot be explained/);
  });

  test('when a move is lost, or a feature is in two projects', () => {
    const before = structuredClone(script.call('cid', look).answer);
    script.call('ann', move);
    const seen = script.call('cid', lookInShop);
    expect(messages()).toEqual([]);
    seen.request = look;
    seen.answer = before;
    expectAnomaly(new RegExp(`Call ${seen.number} cannot be explained`));
  });

  test('when two moves begin in the same project', () => {
    const [first, second] = [script.call('ann', move), script.call('bob', moveBack)];
    stretch(first, first, second);
    second.request = move;
    const event = eventOf(second);
    Object.assign(event, { project: 'shop', data: { oldProject: 'default', newProject: 'shop' } });
    expectAnomaly(new RegExp(`events of call ${second.number} are not what it does`));
  });

  test('when a moved feature takes the defaults of the project that it has left', () => {
    script.call('ann', move);
    const strategy = { name: 'flexibleRollout', title: 'a' };
    const call = script.call('ann', { kind: 'add strategy', ...inShop, environment: 'development', strategy });
    expect(call.answer.body.parameters.stickiness).toBe('userId');
    const event = eventOf(call);
    for (const each of [call.answer.body, event.data]) {
      each.parameters = { ...each.parameters, stickiness: 'default' };
    }
    expectAnomaly(new RegExp(`events of call ${call.number} are not what it does`));
  });

  test('when the archive of a project lists what was moved from it', () => {
    script.call('ann', { kind: 'archive', ...place });
    const before = structuredClone(script.call('cid', readArchive).answer);
    script.call('ann', move);
    const after = script.call('cid', readArchive);
    expect(messages()).toEqual([]);
    after.answer = before;
    expectAnomaly(new RegExp(`Call ${after.number} cannot be explained`));
  });

  test('when a move is refused for environments that are the same', () => {
    script.refused('ann', move, 409, 'The environment "production" is only in the project "default".');
    expectAnomaly(/cannot have found production as it says in default and shop/);
  });

  test('when a move goes to a project of other environments', () => {
    script.call('bob', addStaging);
    script.call('ann', move);
    expectAnomaly(/cannot have found staging as it says in default and shop/);
  });

  test.each([
    ['lacks a strategy that was there before the last change', () => 0],
    ['has the last change without those before it', () => 1],
  ])('when a clone %s', (_what, left) => {
    for (const request of removeTwo) script.call('ann', request);
    for (const title of ['a', 'b', 'c']) script.call('ann', addStrategy(title));
    const clone = script.call('bob', cloneAs('two'));
    expect(messages()).toEqual([]);
    const all = script.events.get('two') ?? [];
    const added = all.filter(({ type, createdBy }) => type === 'feature-strategy-add' && createdBy === 'bob');
    script.events.set(
      'two',
      all.filter((event) => event !== added[left()]),
    );
    strategiesIn(clone).splice(left(), 1);
    expectAnomaly(new RegExp(`Call ${clone.number} cannot be explained`));
  });

  test('when a clone is of what its source was before the call', () => {
    for (const request of removeTwo) script.call('ann', request);
    const clone = script.call('bob', cloneAs('two'));
    script.call('ann', describeAs('later'));
    const { begin, end, beganAt, endedAt } = script.call('cid', look);
    script.calls.pop();
    const events = eventsOf(clone, 'two');
    Object.assign(clone, { begin, end, beganAt, endedAt });
    for (const event of events) event.createdAt = new Date(beganAt + 1).toISOString();
    expectAnomaly(new RegExp(`Call ${clone.number} cannot be explained`));
  });

  test('when the strategies of a clone are those of its source', () => {
    for (const request of removeTwo) script.call('ann', request);
    const id = idOf(script.call('ann', addStrategy('a')));
    const clone = script.call('bob', cloneAs('two'));
    const event = eventsOf(clone, 'two').find(({ type }) => type === 'feature-strategy-add');
    for (const each of [event?.data, strategiesIn(clone)[0]]) Object.assign(each ?? {}, { id });
    expectAnomaly(/2 strategies have the id/);
  });

  test('when a deleted strategy comes back, or is changed', () => {
    const id = idOf(script.call('ann', addStrategy('a')));
    const before = structuredClone(script.call('cid', look).answer);
    const changed = structuredClone(script.call('ann', changeTitle(id, 'late')).answer);
    script.call('ann', deleteStrategy(id));
    const seen = script.call('cid', look);
    const late = script.call('bob', look);
    expect(messages()).toEqual([]);
    seen.answer = before;
    expectAnomaly(new RegExp(`Call ${seen.number} cannot be explained`));
    late.request = changeTitle(id, 'late');
    late.answer = changed;
    expectAnomaly(new RegExp(`Call ${late.number} cannot be explained`));
  });

  test('when a change brings back what a strategy was before another one', () => {
    const id = idOf(script.call('ann', addStrategy('a')));
    const first = script.call('ann', changeTitle(id, 'first'));
    const second = script.call('bob', {
      ...{ kind: 'patch strategy', ...inDevelopment, strategyId: id, change: { sortOrder: 5 } },
    });
    expect(messages()).toEqual([]);
    stretch(first, first, second);
    const event = eventOf(second);
    for (const each of [event.data, event.preData, second.answer.body]) Object.assign(each ?? {}, { title: 'a' });
    expectAnomaly(new RegExp(`events of call ${second.number} are not what it does`));
  });

  test('when a new order is lost', () => {
    const [a] = [idOf(script.call('ann', addStrategy('a'))), script.call('ann', addStrategy('b'))];
    const before = structuredClone(script.call('cid', look).answer);
    script.call('ann', { kind: 'order strategies', ...inDevelopment, order: [{ id: a, sortOrder: 9 }] });
    const after = script.call('cid', look);
    expect(messages()).toEqual([]);
    after.answer = { ...before, version: after.answer.version as number };
    expectAnomaly(new RegExp(`Call ${after.number} cannot be explained`));
  });

  test('when the last strategy goes and the feature stays on', () => {
    const last = strategiesIn(script.call('cid', look))[0]?.id ?? '';
    const call = script.call('ann', deleteStrategy(last));
    expect(eventsOf(call).map(({ type }) => type)).toEqual(['feature-strategy-remove', 'feature-environment-disabled']);
    const events = script.events.get('one') ?? [];
    script.events.set('one', events.slice(0, -1));
    expectAnomaly(new RegExp(`events of call ${call.number} are not what it does`));
  });

  test('when two clocks start a milestone', () => {
    script.call('ann', addPlan);
    const first = script.call('clock', runClock(late));
    const second = script.call('clock', runClock(late));
    const start = eventOf(first);
    const again = { ...start, id: start.id + 1_000, createdAt: new Date(second.beganAt + 1).toISOString() };
    script.events.get('one')?.push(again);
    expectAnomaly(/call 4 are not what it does/);
  });

  test('when the clock leaves out a milestone that is due', () => {
    script.call('ann', addPlan);
    forget(script.call('clock', runClock(late)));
    expectAnomaly(/Call 3 cannot be explained/);
  });

  test('when the clock starts a milestone of a plan that was paused before', () => {
    const added = script.call('ann', addPlan);
    const clock = script.call('clock', runClock(late));
    const pause = script.call('bob', { kind: 'pause plan', ...planKnownBy(added) });
    [clock.begin, pause.begin] = [pause.begin, clock.begin];
    [clock.end, pause.end] = [pause.end, clock.end];
    expectAnomaly(/answered before call/);
  });

  test('when an answer tells another time than a plan waits for', () => {
    script.call('ann', addPlan);
    const archived = script.call('bob', { kind: 'update', ...place, change: { archived: true } });
    archived.answer.body.environments[0].releasePlans[0].nextAt = late;
    expectAnomaly(/Call 3 did not answer what it did/);
  });

  test('when a tag becomes known twice, or never', () => {
    script.call('ann', addTag('new'));
    const [known] = script.serviceEvents.filter(({ type }) => type === 'tag-created');
    script.serviceEvents.push({ ...known, id: 99 } as never);
    expectAnomaly(/tag new became known 2 times, and was used 1 times/);
    script.serviceEvents = [];
    expectAnomaly(/tag new became known 0 times, and/);
  });

  test('when calls of one key are carried out twice, are answered differently, or are refused after all', () => {
    const [first, second] = [script.call('ann', addStrategy('a')), script.call('ann', addStrategy('a'))];
    for (const call of [first, second]) call.key = 'key';
    expectAnomaly(/Calls of one key, key, were answered differently/);
    expectAnomaly(/Nobody asked for the event/);
    forget(second);
    refuse(second, 404, 'The feature "one" is archived.');
    expectAnomaly(/Call 3 was refused, but call 2 of its key had been carried out/);
  });

  test('when an import meets a default strategy that was replaced before', () => {
    const [first, second] = [setDefault('a'), setDefault('b')];
    for (const request of [first, second, importFile('again')]) script.call('ann', request);
    expect(messages()).toEqual([]);
    const [a, b] = script.serviceEvents.filter(({ type }) => type === 'default-strategy-updated');
    if (a !== undefined && b !== undefined) {
      [a.data, b.data] = [b.data, a.data];
      b.preData = a.data;
    }
    expectAnomaly(/Call 4 cannot be explained|events of call 4 are not what it does/);
  });

  test('when a default strategy is lost', () => {
    script.call('ann', setDefault('a'));
    script.call('bob', setDefault('b'));
    const last = script.serviceEvents.at(-1);
    if (last !== undefined) last.preData = null;
    expectAnomaly(/default strategies of default in development do not follow one another/);
  });

  test('when an environment is missing after it was added, or is there before', () => {
    const before = script.call('bob', look);
    script.call('ann', addStaging);
    const after = script.call('bob', look);
    expect(messages()).toEqual([]);
    [before.answer, after.answer] = [after.answer, before.answer];
    expectAnomaly(/Call 2 found the environment staging there/);
    expectAnomaly(/Call 4 found the environment staging missing/);
  });

  test('when an environment is added to a project twice', () => {
    script.call('ann', addStaging);
    script.call('bob', addStaging);
    expectAnomaly(/staging was added to default twice/);
  });

  test('when a call fails for another reason than the store, even if it succeeds when it is sent again', () => {
    script.isFaulty = true;
    const call = script.call('ann', look);
    const again = script.call('ann', look);
    for (const each of [call, again]) each.key = 'key';
    refuse(call, 500, 'crashed');
    expectAnomaly(/Call 2 was answered by 500/);
  });

  test('when a call fails without a fault', () => {
    refuse(script.call('ann', look), 503, 'busy');
    expectAnomaly(/Call 2 was answered by 503/);
  });
});
