import fc from 'fast-check';
import { runClock } from '../../../lib/clock/clock.ts';
import { createEnvironmentRequest } from '../../../lib/request.ts';
import { keyText } from '../../../lib/store/client/definition.ts';
import { unmarshall } from '../../../lib/store/client/marshall.ts';
import type { Write } from '../../../lib/store/transactions/write.ts';
import { createProtectedProject } from '../../harness/change-requests.ts';
import type { Reply } from '../../harness/gateway.ts';
import { contentOf, eventsIn, type Item } from '../../harness/items.ts';
import { paths } from '../../harness/paths.ts';
import type { World } from '../../harness/world.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { actAs, deathMessage, letActorsDie, type StepDeath, type StepTaker } from './deaths.ts';
import { carryOutWrites } from './memory.ts';
import { Onlooker } from './onlooker.ts';
import { actionOf, safeguardId } from './safeguards.ts';
import { type FeaturePlace, lookAtFlag, type PlanTable } from './seen.ts';
import { anyCourse, intervals, isOfService, type PlanCourse, type Step, shares } from './steps.ts';

/** A course whose steps between two waits are taken at the same time, while some of those who take them die. */
export interface PlanRound extends PlanCourse {
  /** The death of each step, by its index. */
  readonly deaths: readonly (StepDeath | undefined)[];
}

/** The last call to the store at which somebody dies. Few steps make more. */
const callsMax = 5;
const stepsMax = 29;

export const anyPlanRound: fc.Arbitrary<PlanRound> = fc
  .tuple(
    anyCourse,
    fc.array(
      fc.option(
        fc.record({ call: fc.integer({ min: 1, max: callsMax }), moment: fc.constantFrom('before', 'after') }),
        { nil: undefined, freq: 3 },
      ),
      { minLength: stepsMax, maxLength: stepsMax },
    ),
  )
  // The first two steps, by which there is a plan, always succeed.
  .map(([course, deaths]) => ({ ...course, deaths: [undefined, undefined, ...deaths] as PlanRound['deaths'] }));

/** Answers that other steps may bring about. */
const expected = new Set([200, 201, 202, 204, 400, 403, 404, 409]);
/** The most steps that are taken at the same time. */
const together = 5;
/** The second clock of the service is this much ahead. */
const skewMs = 20_000;

/** Creates the templates of the steps; returns their ids. */
function createTemplates(world: World): Promise<string[]> {
  const milestonesOf = (minutes: (typeof intervals)[number]) =>
    minutes.map((intervalMinutes, index) => ({
      name: `Milestone ${index}`,
      ...(intervalMinutes !== null && { transitionCondition: { intervalMinutes } }),
      strategies: [strategyOf(shares[index] ?? 100)],
    }));
  return Promise.all(
    intervals.map(async (minutes, index) => {
      const content = { name: `Template ${index}`, milestones: milestonesOf(minutes) };
      return (await world.ask('POST', '/api/admin/release-plan-templates', content)).body.id as string;
    }),
  );
}

const strategyOf = (share: number) => ({
  ...{ name: 'flexibleRollout', sortOrder: 0 },
  parameters: { rollout: String(share), stickiness: 'default', groupId: '{{featureName}}' },
});

/** The time of a proof, which it lets pass. */
interface Time {
  pass(milliseconds: number): void;
}

/** Takes the steps of a round on a store; returns what is wrong, and the deaths. */
export async function flawsOfPlanRound(
  world: World,
  round: PlanRound,
  time: Time,
  disturbed: () => Disposable,
): Promise<{ readonly flaws: readonly string[]; readonly startsByTime: number; readonly deaths: readonly string[] }> {
  const { isProtected, hasOwnStrategy, steps } = round;
  const { service } = world;
  const scene = isProtected
    ? await createProtectedProject(world)
    : { projectId: await world.shared('project of plans', () => world.project()), environment: 'development' };
  const { projectId: project, environment } = scene;
  const templates = await world.shared('templates of plans', () => createTemplates(world));
  const member = await world.tokenOfRole(3, [{ project, roles: [5] }]);
  const { name: feature } = await world.feature({
    ...{ project, environment },
    strategies: hasOwnStrategy ? [{ ...strategyOf(5), sortOrder: 0 }] : [],
  });
  const place: FeaturePlace = { project, feature, environment };
  const onlooker = new Onlooker(place, isProtected);
  const flaws: string[] = [];
  let table: PlanTable = tableOf(await contentOf(service.table), place);

  /** Takes part of a transaction that was carried out. */
  function see(input: unknown, { step, beganAt }: StepTaker): void {
    const writes = writesIn(input, place);
    const own = writes.find(
      (write) => 'put' in write && write.put.sk === 'FEATURE' && write.put.pk.startsWith('FEATURE#'),
    );
    if (own === undefined) return;
    const next = carryOutWrites(table, writes) ?? table;
    const events = eventsOf(input);
    const at = Date.parse(events[0]?.createdAt ?? '');
    // The clock acts for safeguards, too.
    const isTrip = events.some(({ type }: { readonly type: string }) => type === 'safeguard-triggered');
    const does = isTrip ? 'trip' : step.does;
    const isOfAdministrator = isOfService({ does }) || does === 'revive';
    const by = { does, who: isOfAdministrator ? ('administrator' as const) : step.who };
    const [before, after] = [lookAtFlag(table, place), lookAtFlag(next, place)];
    table = next;
    onlooker.see({ step: by, at, clockAt: beganAt, before, after, events });
  }

  const here = `/api/admin/projects/${project}/features/${feature}/environments/${environment}`;

  /** Reads the plan. A dying process may take the read of another request with it. */
  async function readPlan(): Promise<Target['plan']> {
    for (;;) {
      const { status, body } = await service.call('GET', `${here}/release-plans`);
      if (status === 200) return body[0];
      if (status === 404) return undefined;
    }
  }

  /** Returns the headers of a request; undefined where nobody can send it. */
  async function headersOf({ does, who }: Step): Promise<Record<string, string> | undefined> {
    if (does === 'trip') {
      const { status, body } = await service.call('POST', `${here}/safeguards/${safeguardId}/signal-token`);
      return status < 300 ? { authorization: `Bearer ${body.token}` } : undefined;
    }
    return who === 'member' && does !== 'revive' ? { authorization: member } : {};
  }

  async function take({ step, death }: DueStep): Promise<Taken> {
    const skew = step.does === 'clock' ? step.which * skewMs : 0;
    const actor: StepTaker = { step, death, beganAt: Date.now() + skew, calls: 0 };
    if (step.does === 'clock') {
      const ticking = actAs(actor, () => runClock(createEnvironmentRequest(), new Date(actor.beganAt)));
      const failure = await ticking.then(
        () => '',
        (error: Error) => String(error.stack),
      );
      return { actor, ...(failure !== '' && !isForNow(failure) && { failure }) };
    }
    const plan = await readPlan();
    const sending = sendingOf(step, { here, feature, project, templates, plan });
    if (sending === undefined) return { actor };
    const [method, path, body] = sending;
    const headers = await headersOf(step);
    if (headers === undefined) return { actor };
    const answer: Reply = await actAs(actor, () => service.call(method, path, { headers, body }));
    const isExpected = expected.has(answer.status) || isForNow(answer.text);
    return { actor, ...(!isExpected && { failure: `${answer.status}: ${answer.text}` }) };
  }

  async function takeTogether(group: readonly DueStep[]): Promise<void> {
    const all = await Promise.all(group.map(take));
    taken.push(...all.map(({ actor }) => actor));
    // Requests of a process share some calls to the store, so that one that dies may take others with it, also later ones.
    if (all.some(({ actor }) => actor.diedAt !== undefined)) return;
    for (const { actor, failure } of all)
      if (failure !== undefined && !failure.includes(deathMessage)) flaws.push(`${actor.step.does} failed: ${failure}`);
  }

  const taken: StepTaker[] = [];
  {
    using _actors = letActorsDie(service.table, see);
    using _disturbed = disturbed();
    for (const { minutes, group } of groupsOf(round)) {
      time.pass(minutes * 60_000);
      await takeTogether(group);
    }
    // Whatever died: the clock of another process goes on, and moves one milestone.
    const { nextAt } = lookAtFlag(table, place);
    if (nextAt !== undefined) {
      time.pass(Math.max(0, nextAt - Date.now()));
      const starts = onlooker.startsByTime;
      await takeTogether([{ step: { ...(steps[0] as Step), does: 'clock', which: 0, late: 0 }, death: undefined }]);
      // A safeguard that was signalled to may have stopped the plan before.
      const isStill = lookAtFlag(table, place).nextAt === nextAt;
      if (isStill || onlooker.startsByTime > starts + 1) flaws.push('The clock did not start what was due in the end.');
    }
  }
  const items = await contentOf(service.table);
  const [known, stored] = [lookAtFlag(table, place), lookAtFlag(tableOf(items, place), place)];
  if (JSON.stringify(known) !== JSON.stringify(stored)) flaws.push('The feature was changed by nobody who was seen.');
  return {
    flaws: [...flaws, ...onlooker.flaws, ...problemsOf(items)],
    startsByTime: onlooker.startsByTime,
    deaths: taken.flatMap(({ diedAt }) => diedAt ?? []),
  };
}

/** Tells whether a refusal is temporary: others were in the way for seconds. */
const isForNow = (text: string) => text.includes('Too many writers');

interface DueStep {
  readonly step: Step;
  readonly death: StepDeath | undefined;
}

interface Taken {
  readonly actor: StepTaker;
  /** The answer, if nothing else explains it. */
  readonly failure?: string;
}

/** Groups the steps that are taken at the same time, after some minutes. After each wait, both clocks tick beside the others. */
function groupsOf({ steps, deaths }: PlanRound): { readonly minutes: number; readonly group: readonly DueStep[] }[] {
  const groups: { minutes: number; readonly group: DueStep[] }[] = [];
  for (const [index, step] of steps.entries()) {
    const due = { step, death: deaths[index] };
    const last = groups.at(-1);
    if (step.does === 'wait') {
      const clocks = ([0, 1] as const).map((which): Step => ({ ...step, does: 'clock', which }));
      groups.push({
        minutes: step.minutes,
        group: [
          { ...due, step: clocks[0] as Step },
          { step: clocks[1] as Step, death: undefined },
        ],
      });
    } else if (index < 3 || last === undefined || last.group.length >= together)
      groups.push({ minutes: 0, group: [due] });
    else last.group.push(due);
  }
  return groups;
}

interface Target {
  readonly here: string;
  readonly feature: string;
  readonly project: string;
  readonly templates: readonly string[];
  readonly plan: { readonly id: string; readonly milestones: readonly ShownMilestone[] } | undefined;
}

interface ShownMilestone {
  readonly id: string;
  readonly strategies: readonly { readonly id: string; readonly parameters: object }[];
}

type Sending = readonly [method: string, path: string, body?: unknown];

/** Returns the request of a step; undefined where there is nothing to send. */
function sendingOf(step: Step, { here, feature, project, templates, plan }: Target): Sending | undefined {
  const milestone = plan?.milestones[step.milestone];
  const target = plan?.milestones[step.milestone + 1];
  const planId = plan?.id ?? 'none';
  switch (step.does) {
    case 'add':
      return ['POST', `${here}/release-plans`, { templateId: templates[step.which] }];
    case 'remove':
      return ['DELETE', `${here}/release-plans/${planId}`];
    case 'start':
      return milestone && ['POST', `${here}/release-plans/${planId}/milestones/${milestone.id}/start`];
    case 'pause':
    case 'resume':
      return ['POST', `${here}/progressions/${planId}/${step.does}`];
    case 'time': {
      const body = { targetMilestone: target?.id, transitionCondition: { intervalMinutes: step.minutes } };
      return milestone && target && ['PUT', `${here}/progressions/${milestone.id}`, body];
    }
    case 'untime':
      return milestone && ['DELETE', `${here}/progressions/${milestone.id}`];
    case 'edit': {
      const [strategy] = milestone?.strategies ?? [];
      const rollout = String((shares[step.milestone] ?? 100) - (step.minutes % 2) * 5);
      const parameters = { ...strategy?.parameters, rollout };
      return strategy && ['PUT', `${here}/milestone-strategies/${strategy.id}`, { parameters }];
    }
    case 'on':
    case 'off':
      return ['POST', `${here}/${step.does}`];
    case 'archive':
      return ['DELETE', paths.feature(feature, project)];
    case 'revive':
      return ['POST', paths.revived(feature)];
    case 'guard': {
      const measure = { metricName: 'signal', timeRange: 'hour', aggregationMode: 'count' };
      const triggerCondition = { operator: '>', threshold: 0 };
      const body = { id: safeguardId, impactMetric: measure, triggerCondition, action: actionOf(step) };
      return ['PUT', `${here}/release-plans/${planId}/safeguards`, body];
    }
    case 'unguard':
      return ['DELETE', `${here}/release-plans/${planId}/safeguards/${safeguardId}`];
    case 'trip':
      return ['POST', `/safeguards/${safeguardId}/signal`, { reason: 'Orders fail' }];
    default:
      return undefined;
  }
}

/** Returns the items of a table that are about a feature in an environment. */
function tableOf(items: readonly Item[], place: FeaturePlace): PlanTable {
  return new Map(items.filter((item) => isAbout(item, place)).map((item) => [keyText(item), item]));
}

function isAbout({ pk, sk }: { readonly pk: string; readonly sk: string }, { feature }: FeaturePlace): boolean {
  return pk === `FEATURE#${feature}` || (/#FEATURES$|^PLAN_STEPS$|^GUARDED$/.test(pk) && sk.endsWith(`#${feature}`));
}

// biome-ignore lint/suspicious/noExplicitAny: the input of a transaction.
type Input = any;

function writesIn({ TransactItems }: Input, place: FeaturePlace): Write[] {
  const writes = TransactItems.flatMap(({ Put, Delete }: Input): Write[] => {
    if (Delete) return [{ remove: unmarshall(Delete.Key) as unknown as Item }];
    if (!Put) return [];
    const { pk, sk, ...item } = unmarshall(Put.Item);
    return [{ put: { pk: String(pk), sk: String(sk) }, item }];
  });
  return writes.filter((write: Write) =>
    isAbout('put' in write ? write.put : (write as { remove: Item }).remove, place),
  );
}

function eventsOf({ TransactItems }: Input) {
  return TransactItems.flatMap(({ Put }: Input) => {
    const item = Put && (unmarshall(Put.Item) as unknown as Item);
    return item?.pk.endsWith('#EVENTS') ? eventsIn(item) : [];
  });
}
