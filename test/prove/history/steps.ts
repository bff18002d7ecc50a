import { importBody, importPath } from '../../harness/import-file.ts';
import type { ProvedService } from '../service.ts';

export const travelProjects = ['default', 'shop'] as const;
export const travelEnvironments = ['development', 'production'] as const;
export const flagNames = Array.from({ length: 10 }, (_, index) => `flag-${index}`);

/** The random choices of a run. */
export class Dice {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  some<T>(choices: readonly T[], most: number): T[] {
    return choices.filter(() => this.#random() < most / choices.length).slice(0, most);
  }
}

/** A feature as the API shows it, as far as steps need it. */
interface ShownFlag {
  readonly project: string;
  readonly environments: readonly {
    readonly name: string;
    readonly strategies: readonly { readonly id: string }[];
    readonly releasePlans: readonly {
      readonly id: string;
      readonly milestones: readonly { readonly id: string; readonly strategies: readonly { readonly id: string }[] }[];
    }[];
  }[];
}

/** A request that a writer sends. It may be refused, for example because the feature is archived. */
type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** A step of a writer on one feature in an environment. */
interface Place {
  readonly name: string;
  readonly environment: string;
  readonly flag: ShownFlag | undefined;
  /** The path of the feature in its project. */
  readonly path: string;
  readonly segments: readonly number[];
  readonly templates: readonly string[];
  readonly dice: Dice;
  readonly send: Send;
}

const constraint = (value: string) => ({ contextName: 'userId', operator: 'IN', values: [value] });

/** Builds a strategy. Positions are often the same, since their order is what events tell least of. */
function anyStrategy({ dice, segments }: Pick<Place, 'dice' | 'segments'>) {
  return {
    name: dice.pick(['flexibleRollout', 'default']),
    title: dice.pick(['', 'One', 'Two']),
    disabled: dice.below(4) === 0,
    sortOrder: dice.below(3),
    segments: dice.some(segments, 2),
    constraints: dice.below(3) === 0 ? [constraint(String(dice.below(5)))] : [],
    parameters: { rollout: String(dice.below(101)), stickiness: 'default', groupId: 'all' },
    variants: dice.below(4) === 0 ? [anyVariant(dice)] : [],
  };
}

const anyVariant = (dice: Dice) => ({
  ...{ name: dice.pick(['blue', 'green']), weight: 1000, weightType: 'variable', stickiness: 'default' },
});

function anyStrategyId({ flag, environment, dice }: Place): string {
  const strategies = flag?.environments.find(({ name }) => name === environment)?.strategies ?? [];
  return dice.pick(strategies)?.id ?? 'none';
}

function anyPlan({ flag, environment }: Place) {
  return flag?.environments.find(({ name }) => name === environment)?.releasePlans[0];
}

type Step = (place: Place) => Promise<unknown>;

const inEnvironment = ({ path, environment }: Place) => `${path}/environments/${environment}`;

/** The steps of writers, common ones several times. */
const steps: readonly Step[] = [
  ...Array<Step>(4).fill((at) => at.send('POST', `${inEnvironment(at)}/strategies`, anyStrategy(at))),
  ...Array<Step>(3).fill((at) => at.send('POST', `${inEnvironment(at)}/${at.dice.pick(['on', 'off', 'on'])}`)),
  ...Array<Step>(2).fill((at) =>
    at.send('PUT', `${inEnvironment(at)}/strategies/${anyStrategyId(at)}`, anyStrategy(at)),
  ),
  ...Array<Step>(2).fill((at) => at.send('DELETE', `${inEnvironment(at)}/strategies/${anyStrategyId(at)}`)),
  (at) =>
    at.send('POST', `${inEnvironment(at)}/strategies/set-sort-order`, [
      { id: anyStrategyId(at), sortOrder: at.dice.below(4) },
    ]),
  (at) => at.send('PUT', `${inEnvironment(at)}/variants`, at.dice.below(3) === 0 ? [] : [anyVariant(at.dice)]),
  (at) =>
    at.send('POST', `${at.path}/dependencies`, {
      feature: at.dice.pick(flagNames),
      ...(at.dice.below(2) === 0 ? { enabled: false } : { variants: at.dice.some(['blue', 'green'], 2) }),
    }),
  (at) => at.send('DELETE', `${at.path}/dependencies`),
  (at) => at.send('PUT', at.path, { description: at.dice.pick(['', 'One', 'Two']), stale: at.dice.below(2) === 0 }),
  (at) =>
    at.send('PUT', at.path, { type: at.dice.pick(['release', 'experiment']), impressionData: at.dice.below(2) === 0 }),
  (at) => at.send('PUT', at.path, { archived: at.dice.below(3) === 0 }),
  (at) => at.send('DELETE', at.path),
  ...Array<Step>(3).fill((at) => at.send('POST', `/api/admin/archive/revive/${at.name}`)),
  (at) => at.send('DELETE', `/api/admin/archive/${at.name}`),
  ...Array<Step>(3).fill((at) =>
    at.send('POST', `/api/admin/projects/${at.dice.pick(travelProjects)}/features`, { name: at.name }),
  ),
  (at) => at.send('POST', `${at.path}/clone`, { name: at.dice.pick(flagNames) }),
  (at) => at.send('POST', `${at.path}/changeProject`, { newProjectId: at.dice.pick(travelProjects) }),
  (at) => at.send('POST', importPath, importOfOne(at)),
  (at) => at.send('POST', `${inEnvironment(at)}/release-plans`, { templateId: at.dice.pick(at.templates) }),
  (at) => at.send('DELETE', `${inEnvironment(at)}/release-plans/${anyPlan(at)?.id}`),
  ...Array<Step>(2).fill((at) => {
    const plan = anyPlan(at);
    const milestone = at.dice.pick(plan?.milestones ?? []);
    return at.send('POST', `${inEnvironment(at)}/release-plans/${plan?.id}/milestones/${milestone?.id}/start`);
  }),
  ...Array<Step>(2).fill(({ dice, segments, send }) =>
    send('PUT', `/api/admin/segments/${dice.pick(segments)}`, {
      ...{ name: `segment-${dice.below(1e9)}`, constraints: [constraint(String(dice.below(9)))] },
    }),
  ),
  ({ dice, segments, send }) => send('DELETE', `/api/admin/segments/${dice.pick(segments)}`),
  ({ dice, send }) =>
    send('POST', '/api/admin/segments', { name: `segment-${dice.below(1e9)}`, constraints: [constraint('1')] }),
];

function importOfOne({ name, environment, flag, dice }: Place) {
  const strategies = Array.from({ length: dice.below(3) }, () => ({
    ...anyStrategy({ dice, segments: [] }),
    featureName: name,
  }));
  const parts = { features: [{ name }], featureStrategies: strategies };
  return importBody(parts, { project: flag?.project ?? dice.pick(travelProjects), environment });
}

/** Takes one step of a writer. The answer does not matter: what SDKs get afterwards is what counts. */
export async function takeStep(service: ProvedService, dice: Dice, templates: readonly string[]): Promise<void> {
  const send: Send = (method, path, body) => service.call(method, path, { body });
  const name = dice.pick(flagNames);
  const environment = dice.pick(travelEnvironments);
  const step = dice.pick(steps);
  const { body } = await service.call('GET', '/api/admin/segments');
  const segments = body.segments.map(({ id }: { readonly id: number }) => id);
  let flag: ShownFlag | undefined;
  for (const project of travelProjects) {
    const reply = await service.call('GET', `/api/admin/projects/${project}/features/${name}`);
    if (reply.status === 200) flag = reply.body;
  }
  const path = `/api/admin/projects/${flag?.project ?? dice.pick(travelProjects)}/features/${name}`;
  await step({ name, environment, flag, path, segments, templates, dice, send });
}
