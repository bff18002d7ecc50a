import type { Event } from '../../../../lib/events/event-schema.ts';
import { viewPlan } from '../../../../lib/features/plans/view-plan.ts';
import type { StrategyInput } from '../../../../lib/features/strategies/strategy-input-schema.ts';
import {
  type AnsweredCall,
  type ClientRequest,
  type Facts,
  featureAnswered,
  featuresNamed,
  type History,
  type Template,
} from '../history.ts';
import { takenOver } from '../model/clone.ts';
import type { Chosen } from '../model/draft.ts';
import { archivedView, type FeatureState, fullView, withoutFeatureName } from '../model/feature.ts';
import { modelStep } from '../model/step.ts';

const milestoneOf = (name: string, sortOrder: number, time: object = {}): Template['milestones'][number] => ({
  ...{ name, sortOrder, ...time },
  strategies: [
    {
      ...{ id: name, name: 'default', title: null, disabled: false, featureName: '', sortOrder: 0 },
      ...{ segments: [], constraints: [], variants: [], parameters: {} },
    },
  ],
});

const facts: Facts = {
  environments: [
    { name: 'development', type: 'development', sortOrder: 2 },
    { name: 'production', type: 'production', sortOrder: 3 },
    { name: 'staging', type: 'preproduction', sortOrder: 4 },
  ],
  projects: [
    { id: 'default', defaultStickiness: 'default', environments: ['development', 'production'] },
    { id: 'shop', defaultStickiness: 'userId', environments: ['development', 'production'] },
  ],
  templates: [
    {
      ...{ id: 'template', name: 'Two steps', description: '' },
      milestones: [milestoneOf('Few', 0, { transitionCondition: { intervalMinutes: 1 } }), milestoneOf('All', 1)],
    },
  ],
  features: [
    { name: 'one', project: 'default' },
    { name: 'two', project: 'default' },
  ],
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type ScriptedCall = Mutable<Omit<AnsweredCall, 'answer'>> & { answer: Mutable<AnsweredCall['answer']> };
type ScriptedEvent = Mutable<Event>;

const ticksOfCall = 10;
const at = (tick: number) => new Date(Date.UTC(2026, 0, 1) + tick).toISOString();

/**
 * Writes histories by hand: each call is carried out after the one before and answered as it should be. A test changes
 * what it gets here into what must not be. A tick is a millisecond.
 */
export class Script {
  readonly calls: ScriptedCall[] = [];
  readonly events = new Map<string, ScriptedEvent[]>(facts.features.map(({ name }) => [name, []]));
  serviceEvents: ScriptedEvent[] = [];
  isFaulty = false;
  readonly #states = new Map<string, FeatureState>();
  readonly #versions = new Map<string, number>();
  readonly #defaultStrategies = new Map<string, StrategyInput>();
  /** The environments that projects were given besides those that they have at first. */
  readonly #added = new Map<string, string[]>();
  #nextId = 1;

  history(): History {
    const { calls, events, serviceEvents, isFaulty } = this;
    return { facts, calls, featureEvents: events, serviceEvents, isFaulty };
  }

  /** Carries a request out, with all that belongs to it. */
  call(client: string, request: ClientRequest): ScriptedCall {
    const call = this.#next(client, request);
    const names = featuresNamed(request);
    this.#changeProject(call);
    let made = 0;
    for (const name of names) made += this.#change(call, name);
    if (request.kind === 'import' && made > 0)
      this.serviceEvents.push(this.#event(call, { type: 'features-imported' }));
    call.answer = this.#answer(request);
    this.calls.push(call);
    return call;
  }

  /** Adds a request that is refused, and does nothing. */
  refused(client: string, request: ClientRequest, status: number, message: string): ScriptedCall {
    const call = this.#next(client, request);
    refuse(call, status, message);
    this.calls.push(call);
    return call;
  }

  #next(client: string, request: ClientRequest): ScriptedCall {
    const begin = (this.calls.at(-1)?.begin ?? 0) + 2 * ticksOfCall;
    const end = begin + ticksOfCall;
    return { number: this.calls.length + 1, client, request, begin, end, ...times(begin, end) } as ScriptedCall;
  }

  #change(call: ScriptedCall, name: string): number {
    const { request, begin } = call;
    if (request.kind.startsWith('read')) return 0;
    const time = at(begin + 1);
    const chosen: Chosen = {
      at: time,
      createdAt: time,
      createdBy: { id: 0, name: call.client },
      archivedAt: time,
      revivedAt: time,
      strategyIds: [`strategy ${call.number} of ${name}`],
      plan: {
        ...{ id: `plan ${call.number}`, createdByUserId: 1 },
        milestones: ['few', 'all'].map((id) => ({ id: `${id} ${call.number}`, strategies: [{ id: `of ${id}` }] })),
      },
      ...this.#takenOver(call),
    };
    const result = modelStep(
      this.#states.get(name),
      name,
      request,
      { facts, defaultStrategy: this.#defaultStrategies.get('development') },
      chosen,
    );
    if ('refused' in result) throw new Error(`A script has no refusals, but ${JSON.stringify(request)} is one.`);
    if (result.events.length === 0) return 0;
    if (result.after === undefined) this.#states.delete(name);
    else this.#states.set(name, result.after);
    this.#versions.set(name, (this.#versions.get(name) ?? 0) + 1);
    for (const event of result.events) {
      this.events.get(name)?.push(this.#event(call, event));
      if (event.type === 'feature-tagged') this.#becomeKnown(call, event.data?.value);
    }
    return result.events.length;
  }

  #takenOver({ request, number }: ScriptedCall): Pick<Chosen, 'takenOver'> {
    const source = request.kind === 'clone' ? this.#states.get(request.feature) : undefined;
    if (request.kind !== 'clone' || source === undefined) return {};
    const { environments, ...fields } = takenOver(source, request);
    const withNewIds = Object.entries(environments).map(([environment, state]) => {
      const strategies = state.strategies.map((each, index) => ({
        ...each,
        id: `clone ${number} ${environment} ${index}`,
      }));
      return [environment, { ...state, strategies }] as const;
    });
    return { takenOver: { ...fields, environments: Object.fromEntries(withNewIds) } };
  }

  #changeProject(call: ScriptedCall): void {
    const { request } = call;
    if (request.kind === 'add environment') {
      const { project, environment } = request;
      this.#added.set(project, [...(this.#added.get(project) ?? []), environment]);
      this.serviceEvents.push(this.#event(call, { type: 'project-environment-added', project, environment }));
    }
    if (request.kind === 'default strategy') {
      const { project, environment, strategy } = request;
      const preData = this.#defaultStrategies.get(environment) ?? null;
      this.#defaultStrategies.set(environment, strategy);
      const change = { project, environment, data: strategy, preData };
      this.serviceEvents.push(this.#event(call, { type: 'default-strategy-updated', ...change }));
    }
  }

  #environmentsOf(project: string): readonly string[] {
    const { environments = [] } = facts.projects.find(({ id }) => id === project) ?? {};
    return [...environments, ...(this.#added.get(project) ?? [])];
  }

  #becomeKnown(call: ScriptedCall, value: unknown): void {
    if (this.serviceEvents.some(({ type, data }) => type === 'tag-created' && data?.value === value)) return;
    this.serviceEvents.push(this.#event(call, { type: 'tag-created', data: { value, type: 'simple' } }));
  }

  #event(call: ScriptedCall, event: Partial<Event> & Pick<Event, 'type'>): ScriptedEvent {
    const id = this.#nextId;
    this.#nextId += 1;
    return {
      ...{ id, createdAt: at(call.begin + 1), createdBy: call.client, createdByUserId: null },
      ...{ environment: null, project: null, featureName: null, data: null, preData: null, tags: [] },
      ...event,
    };
  }

  #answer(request: ClientRequest): AnsweredCall['answer'] {
    const json = (status: number, body: unknown, version?: number) => ({
      ...{ status, body, text: JSON.stringify(body) },
      ...(version !== undefined && { version }),
    });
    const feature = featureAnswered(request);
    const state = feature === undefined ? undefined : this.#states.get(feature);
    const version = feature === undefined ? undefined : this.#versions.get(feature);
    const present = state && this.#environmentsOf(state.project);
    const environments = facts.environments.filter(({ name }) => present?.includes(name));
    const views = { environments, lifecycle: state?.lifecycle } as never;
    switch (request.kind) {
      case 'create':
      case 'clone':
        return json(201, fullView(state as FeatureState, facts, views), version);
      case 'archive':
        return { status: 202, body: undefined, text: '' };
      case 'variants':
        return json(200, { version: 1, variants: request.variants }, version);
      case 'update':
        return json(200, fullView(state as FeatureState, facts, views), version);
      case 'add strategy':
        return json(200, state?.environments[request.environment]?.strategies.at(-1), version);
      case 'update strategy':
      case 'patch strategy': {
        const { strategies = [] } = state?.environments[request.environment] ?? {};
        const changed = strategies.find(({ id }) => id === request.strategyId);
        return json(200, changed && withoutFeatureName(changed), version);
      }
      case 'delete strategy':
      case 'order strategies':
        return { status: 200, body: undefined, text: '', ...(version !== undefined && { version }) };
      case 'add tag':
        return json(201, request.tag, version);
      case 'on':
      case 'off':
        return json(200, {}, version);
      case 'add plan':
      case 'start milestone':
      case 'pause plan':
      case 'resume plan':
      case 'time milestone':
      case 'untime milestone': {
        const { plan, nextAt } = state?.environments[request.environment] ?? {};
        return json(200, plan && viewPlan(plan, request, nextAt), version);
      }
      case 'remove plan':
        return { status: 204, body: undefined, text: '', ...(version !== undefined && { version }) };
      case 'read variants':
        return json(200, { version: 1, variants: state?.environments[request.environment]?.variants ?? [] }, version);
      case 'read events': {
        const all = this.events.get(request.feature) ?? [];
        const first = all.findLastIndex(({ type }) => type === 'feature-created');
        const events = structuredClone(all.slice(first).toReversed());
        return json(200, { version: 1, toggleName: request.feature, events, totalEvents: events.length });
      }
      case 'read archive': {
        const isListed = ({ archivedAt, project }: FeatureState) => archivedAt !== null && project === request.project;
        const archived = [...this.#states.values()].filter(isListed);
        return json(200, { version: 2, features: archived.map((feature) => archivedView(feature, feature as never)) });
      }
      case 'read environments':
        return json(200, { version: 1, environments: facts.environments.map((each) => this.#listed(each)) });
      case 'default strategy':
        return json(200, request.strategy);
      default:
        return { status: 200, body: undefined, text: '' };
    }
  }

  #listed(environment: Facts['environments'][number]) {
    const isOn = ({ environments }: FeatureState) => environments[environment.name]?.enabled === true;
    return {
      ...environment,
      projectCount: facts.projects.filter(({ id }) => this.#environmentsOf(id).includes(environment.name)).length,
      enabledToggleCount: [...this.#states.values()].filter(isOn).length,
    };
  }
}

function times(begin: number, end: number): Pick<AnsweredCall, 'beganAt' | 'endedAt'> {
  return { beganAt: Date.parse(at(begin)), endedAt: Date.parse(at(end)) };
}

/** Lets a call last from the begin of one to the end of another. */
export function stretch(call: ScriptedCall, from: AnsweredCall, to: AnsweredCall): void {
  const [begin, end] = [Math.min(call.begin, from.begin - 1), Math.max(call.end, to.end + 1)];
  Object.assign(call, { begin, end, ...times(begin, end) });
}

/** Answers a call with a refusal or a failure. */
export function refuse(call: ScriptedCall, status: number, message: string): void {
  call.answer = { status, text: message, body: { details: [{ message }] } };
}
