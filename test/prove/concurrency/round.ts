import { type EventsItem, eventsOf } from '../../../lib/events/event-items.ts';
import * as eventKeys from '../../../lib/events/keys.ts';
import { createToken } from '../../../lib/identity/tokens/tokens.ts';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import type { ReleaseTemplateView } from '../../../lib/release-plans/template-schema.ts';
import type { Request } from '../../../lib/request.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { contentOf } from '../../harness/items.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { type RuleCounts, underStoreRules } from '../../harness/store-rules.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { openService, type ProvedService, unhurriedMs } from '../service.ts';
import { shiftTime } from '../shifted-time.ts';
import { type IsOver, PlannedClient, Recorder } from './client.ts';
import { runClocks } from './clock.ts';
import { type FaultCounts, injectFaults } from './faults.ts';
import { type ClientRequest as Call, type Facts, type History, outcomeOf, type Template } from './history.ts';
import { type PlannedCall, planOf } from './plan.ts';

export interface RoundOptions {
  readonly seed: number;
  readonly clients: number;
  readonly callsPerClient: number;
  readonly isFaulty: boolean;
  /** True to leave the store as the embedded one is, without the rules of AWS's. */
  readonly isPlain: boolean;
  /** Seconds after which the clients make no more calls, whatever is left of their plans. */
  readonly secondsMax: number;
}

export interface Round {
  readonly history: History;
  /** Disagreements within the store afterwards. */
  readonly disagreements: readonly string[];
  /** Time that the clients were at work. */
  readonly seconds: number;
  /** Number of calls that clients wanted, and of those still answered by 5xx when they gave up. */
  readonly wanted: number;
  readonly givenUp: number;
  readonly faults?: FaultCounts;
  readonly rules?: RuleCounts;
}

const facts: Omit<Facts, 'templates'> = {
  environments: [
    { name: 'default', type: 'production', sortOrder: 1 },
    { name: 'development', type: 'development', sortOrder: 2 },
    { name: 'production', type: 'production', sortOrder: 3 },
    { name: 'staging', type: 'preproduction', sortOrder: 4 },
  ],
  projects: [
    { id: 'default', defaultStickiness: 'default', environments: ['development', 'production', 'staging'] },
    { id: 'shop', defaultStickiness: 'userId', environments: ['development', 'production', 'staging'] },
  ],
  features: Array.from({ length: 18 }, (_, index) => ({
    name: `feature-${index + 1}`,
    project: index % 4 === 3 ? 'shop' : 'default',
  })),
};

const seedData = readSeed({
  environments: [{ name: 'staging', type: 'preproduction', enabled: true, protected: false, sortOrder: 4 }],
  projects: [
    { id: 'default', environments: ['development', 'production', 'staging'] },
    { id: 'shop', defaultStickiness: 'userId', environments: ['development', 'production', 'staging'] },
  ],
});

/** The minutes after which the milestones of a template give way to the next one; null where a person starts that. */
const intervalsOfTemplates: readonly (readonly (number | null)[])[] = [
  [1, 2, null],
  [null, 1, null],
];

/** Creates the templates of plans. */
function createTemplates(service: ProvedService): Promise<Template[]> {
  return Promise.all(
    intervalsOfTemplates.map(async (intervals, number) => {
      const milestones = intervals.map((intervalMinutes, index) => ({
        name: `Milestone ${index}`,
        ...(intervalMinutes !== null && { transitionCondition: { intervalMinutes } }),
        strategies: [
          {
            name: 'flexibleRollout',
            parameters: { rollout: `${10 * (index + 1)}`, stickiness: 'default', groupId: '{{featureName}}' },
          },
        ],
      }));
      const content = { name: `Template ${number}`, milestones };
      const { body } = await service.call('POST', '/api/admin/release-plan-templates', { body: content });
      return templateOf(body);
    }),
  );
}

function templateOf({ id, name, description, milestones }: ReleaseTemplateView): Template {
  return {
    ...{ id, name, description },
    milestones: milestones.map(({ id: _id, releasePlanDefinitionId: _plan, strategies, ...milestone }) => ({
      ...milestone,
      strategies: strategies.map(({ milestoneId: _milestone, strategyName: _name, ...strategy }) => ({
        ...{ ...strategy, featureName: '' },
      })),
    })),
  };
}

/** Lets many clients at a few features of a fresh store at the same time, and tells all that happened. */
export async function runRound({
  seed,
  clients,
  callsPerClient,
  isFaulty,
  isPlain,
  secondsMax,
}: RoundOptions): Promise<Round> {
  const service = await openService(seedData, unhurriedMs);
  const known: Facts = { ...facts, templates: await createTemplates(service) };
  const recorder = new Recorder();
  const names = Array.from({ length: clients }, (_, index) => `client-${index + 1}`);
  const plans = new Map(
    names.map((client, index) => [client, planOf({ facts: known, seed: seed + index, calls: callsPerClient, client })]),
  );
  const crowd = await newClients(service, names, recorder);

  const start = performance.now();
  const isOver = () => performance.now() - start > secondsMax * 1_000;
  using time = shiftTime();
  const { wanted, givenUp, faults, rules } = await work(service.table, crowd, {
    ...{ plans, isOver, recorder, time, isPlain },
    faultSeed: isFaulty ? seed : undefined,
  });
  const seconds = (performance.now() - start) / 1000;

  const auditor = (await newClients(service, ['auditor'], recorder)).get('auditor') as PlannedClient;
  const featureEvents = new Map<string, History['serviceEvents']>();
  for (const request of auditRequests()) await auditor.call({ request, isBound: false, sending: 'without key' });
  // An answer leaves out those of features that were deleted before one of the same name was created.
  for (const { name } of facts.features) {
    const items = await queryAll<EventsItem>(service.table, eventKeys.allFeatureEvents(name));
    featureEvents.set(name, items.flatMap(eventsOf));
  }
  const ofClients = (await serviceEvents(service.table)).filter(({ createdBy }) => names.includes(createdBy));
  const disagreements = problemsOf(await contentOf(service.table));
  service.table.store.client.destroy();
  const history = { facts: known, calls: recorder.calls, featureEvents, serviceEvents: ofClients, isFaulty };
  return { history, disagreements, seconds, wanted, givenUp, ...(faults && { faults }), ...(rules && { rules }) };
}

async function newClients(
  service: ProvedService,
  names: readonly string[],
  recorder: Recorder,
): Promise<Map<string, PlannedClient>> {
  const clients = new Map<string, PlannedClient>();
  for (const name of names) {
    const { secret } = await createToken(service.table, { kind: 'admin', name });
    clients.set(name, new PlannedClient(service, { name, token: secret }, recorder));
  }
  return clients;
}

interface Working {
  readonly plans: ReadonlyMap<string, readonly PlannedCall[]>;
  readonly isOver: IsOver;
  readonly recorder: Recorder;
  readonly time: ReturnType<typeof shiftTime>;
  readonly faultSeed: number | undefined;
  readonly isPlain: boolean;
}

/** Lets all clients carry out their plans at the same time, while the clock of the service runs. */
async function work(
  table: Request,
  clients: ReadonlyMap<string, PlannedClient>,
  { plans, isOver, recorder, time, faultSeed, isPlain }: Working,
): Promise<{ wanted: number; givenUp: number; faults?: FaultCounts | undefined; rules?: RuleCounts | undefined }> {
  using faults = faultSeed === undefined ? undefined : injectFaults(table, faultSeed);
  using rules = isPlain ? undefined : underStoreRules(table);
  let wanted = 0;
  let givenUp = 0;
  let isDone = false;
  const features = facts.features.map(({ name }) => name);
  const clocks = runClocks(table, { features, recorder, pass: time.pass }, () => isDone);
  await Promise.all(
    [...clients].map(async ([name, client]) => {
      for (const planned of plans.get(name) ?? []) {
        if (isOver()) return;
        const isUnknown = outcomeOf(await client.call(planned, isOver)) === 'unknown';
        // Whom the end of the time kept from asking again has not given up.
        if (isUnknown && isOver()) return;
        wanted += 1;
        if (isUnknown) givenUp += 1;
      }
    }),
  ).finally(() => {
    isDone = true;
  });
  await clocks;
  return { wanted, givenUp, faults: faults?.counts(), rules: rules?.counts };
}

/** Returns the requests that show, after all is done, the state of everything. */
function auditRequests(): Call[] {
  return [
    // One of the projects has it.
    ...facts.features.flatMap(({ name }) =>
      facts.projects.map(({ id }): Call => ({ kind: 'update', project: id, feature: name, change: {} })),
    ),
    ...facts.features.map(({ name }): Call => ({ kind: 'read events', feature: name })),
    ...facts.projects.map(({ id }): Call => ({ kind: 'read archive', project: id })),
    { kind: 'read environments' },
  ];
}
