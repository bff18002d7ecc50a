import * as registry from '../../../functions/index.ts';
import { type Endpoint, isMutation } from '../../../lib/http/declaration.ts';
import { createChangeRequest, createLargeRequest } from '../../harness/change-requests.ts';
import type { GatewayRequest } from '../../harness/gateway.ts';
import type { World } from '../../harness/world.ts';
import { exampleOf } from '../../specifications/example.ts';
import { loadSpecifications } from '../../specifications/load.ts';
import type { NamedSpecification } from '../../specifications/specification.ts';
import { tickOfClock } from './answer-to.ts';

/** A request that changes something, and the state that it finds. */
export interface Scenario {
  readonly operationId: string;
  readonly title: string;
  /** Makes the things that the request is about, in a new world. */
  readonly prepare: (world: World) => Promise<PreparedRequest>;
  /** Its answer holds a secret that is shown once. */
  readonly isSecret: boolean;
}

export interface PreparedRequest {
  readonly request: GatewayRequest;
  /** Sent again after it was carried out, it changes something again; a key of its own prevents that. */
  readonly repeats: boolean;
  /** True if it takes several transactions, so that some features may be there without the others. */
  readonly inParts: boolean;
  /** True if it takes several transactions, one after the other. */
  readonly inSteps: boolean;
}

/** The features that a single transaction holds at the least. */
const featuresOfTransaction = 30;

const endpoints: Readonly<Record<string, Endpoint>> = registry;

/** Ticks of the clock, which applies schedules, whole and in parts, and starts the milestones of plans. */
const ofClock: readonly Scenario[] = (
  [
    ['a schedule', (world) => createChangeRequest(world, 'Scheduled'), false],
    ['a schedule in parts', (world) => createLargeRequest(world, 'Scheduled'), true],
    ['a milestone', createTimedPlan, false],
  ] as const satisfies readonly (readonly [title: string, make: (world: World) => Promise<unknown>, inParts: boolean])[]
).map(([title, make, inParts]) => ({
  ...{ operationId: 'clock', title, isSecret: false },
  async prepare(world) {
    await make(world);
    return { request: tickOfClock(), repeats: false, inParts, inSteps: false };
  },
}));

/** Loads all requests of the specifications that change something, and ticks of the clock. */
export async function loadScenarios(): Promise<Scenario[]> {
  const specifications = await loadSpecifications();
  const ofOperations = specifications
    .filter(({ operationId }) => endpoints[operationId] && isMutation(endpoints[operationId].declaration))
    .flatMap((specification) => [
      scenarioOf(specification),
      ...Object.keys(specification.others ?? {}).map((title) => scenarioOf(specification, title)),
    ]);
  return [...ofOperations, ...ofClock];
}

function scenarioOf(specification: NamedSpecification, title?: string): Scenario {
  return {
    operationId: specification.operationId,
    title: title ?? 'as specified',
    isSecret: endpoints[specification.operationId]?.declaration.secret === true,
    async prepare(world) {
      const { method, target, headers, body, specified } = await exampleOf(specification, world, title);
      const { size = 1, stages = 1, repeats = specification.again === 'once more' } = specified;
      const inParts = size > featuresOfTransaction;
      return {
        request: { method, target, headers, ...(body !== undefined && { body }) },
        repeats,
        inParts,
        inSteps: stages > 1 && !inParts,
      };
    },
  };
}

/** Gives a feature a plan whose last milestone starts by itself. */
async function createTimedPlan(world: World): Promise<void> {
  const { place } = await world.feature({ on: true });
  const strategies = [{ name: 'default' }];
  const milestones = [
    { name: 'First', strategies, transitionCondition: { intervalMinutes: 60 } },
    { name: 'Last', strategies },
  ];
  const { body } = await world.ask('POST', '/api/admin/release-plan-templates', { name: 'Two steps', milestones });
  const { projectId, featureName, environment } = place;
  const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}/release-plans`;
  await world.ask('POST', path, { templateId: body.id });
}
