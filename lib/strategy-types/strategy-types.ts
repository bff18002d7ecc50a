import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { ApiError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import type { StrategyTypeInput, StrategyTypeUpdate, StrategyTypeView } from './strategy-type-schema.ts';

/** Kind of strategy, e.g. a gradual rollout. */
export type StrategyType = Omit<StrategyTypeView, 'displayName'>;

export const strategyTypes = entity<StrategyType, string>({
  kind: 'strategy type',
  idOf: ({ name }) => name,
  partition: { pk: 'STRATEGY_TYPES' },
  codec: codec<StrategyType>({ parameters: true }),
  referable: true,
  events: {
    created: 'strategy-created',
    updated: ({ deprecated }, before) => {
      if (deprecated === before?.deprecated) return 'strategy-updated';
      return deprecated ? 'strategy-deprecated' : 'strategy-reactivated';
    },
    deleted: 'strategy-deleted',
  },
  eventData: (type) => type,
});

/** The display names of the built-in strategy types, in the order of lists. */
const builtInTypes: ReadonlyMap<string, string> = new Map([
  ['flexibleRollout', 'Gradual rollout'],
  ['default', 'Standard'],
  ['userWithId', 'UserIDs'],
  ['remoteAddress', 'IPs'],
  ['applicationHostname', 'Hosts'],
]);

/** Tells whether a strategy type is built in. Built-in types are never removed, so their uses are not recorded. */
export function isBuiltIn(name: string): boolean {
  return builtInTypes.has(name);
}

/** Returns a strategy type as replies show it. */
export function strategyTypeView({
  name,
  title,
  description,
  editable,
  deprecated,
  parameters,
}: StrategyType): StrategyTypeView {
  const displayName = builtInTypes.get(name) ?? null;
  return { name, displayName, title, description, editable, deprecated, parameters };
}

/** Lists all strategy types: the built-in ones first, then the others by name. */
export async function listStrategyTypes(request: Request): Promise<StrategyType[]> {
  const order = [...builtInTypes.keys()];
  const positionOf = ({ name }: StrategyType) => (isBuiltIn(name) ? order.indexOf(name) : order.length);
  return (await strategyTypes.list(request)).toSorted((a, b) => positionOf(a) - positionOf(b));
}

/** @throws ApiError 409 if the name is in use; 400 if the item exceeds the limits of the store. */
export function createStrategyType(request: Request, actor: Actor, input: StrategyTypeInput) {
  return strategyTypes.create(request, actor, () => newStrategyType(input));
}

export function newStrategyType({ name, title = null, ...input }: StrategyTypeInput): StrategyType {
  const content = { title, description: input.description ?? '', parameters: parametersOf(input) };
  return { name, ...content, editable: !isBuiltIn(name), deprecated: false };
}

/** @throws ApiError 404 for an unknown strategy type; 403 for a built-in one. */
export async function updateStrategyType(request: Request, actor: Actor, name: string, input: StrategyTypeUpdate) {
  requireCustomStrategyType(name);
  return strategyTypes.update(request, actor, name, (before) => ({
    ...before,
    title: input.title === undefined ? before.title : input.title,
    description: input.description === undefined ? before.description : (input.description ?? ''),
    parameters: parametersOf(input),
  }));
}

/**
 * Deprecates a strategy type, or reactivates it. Strategies that use it keep working.
 * @throws ApiError 404 for an unknown strategy type.
 */
export function setStrategyTypeDeprecated(request: Request, actor: Actor, name: string, deprecated: boolean) {
  return strategyTypes.update(request, actor, name, (before) => ({ ...before, deprecated }));
}

function parametersOf({ parameters }: Pick<StrategyTypeUpdate, 'parameters'>): StrategyType['parameters'] {
  return parameters.map(({ name, type, description, required = false }) => ({
    name,
    type,
    description: description ?? '',
    required,
  }));
}

/** @throws ApiError 403 for a built-in strategy type. */
export function requireCustomStrategyType(name: string): void {
  if (!isBuiltIn(name)) return;
  throw new ApiError('NoAccessError', `The strategy type "${name}" is built in and cannot be changed.`);
}
