import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { keys, partitions } from '../table/keys.ts';

/** What a strategy can be, e.g. a gradual rollout. */
export interface StrategyType {
  readonly name: string;
  readonly description: string;
  /** Those that come with the service cannot be edited. */
  readonly editable: boolean;
  readonly deprecated: boolean;
  /** What its parameters are, for those who fill in a form. */
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

export const strategyTypes = entity<StrategyType, string>({
  kind: 'strategy type',
  idOf: ({ name }) => name,
  keyOf: keys.strategyType,
  partitions: [partitions.strategyTypes()],
  codec: codec<StrategyType>({ parameters: true }),
  referable: true,
  events: { created: 'strategy-created', updated: 'strategy-updated', deleted: 'strategy-deleted' },
  shown: (type) => type,
});

const builtInTypes = ['flexibleRollout', 'default', 'userWithId', 'remoteAddress', 'applicationHostname'];

/** Whether a strategy type comes with the service: those are never removed, so nobody needs to know who uses them. */
export function isBuiltIn(name: string): boolean {
  return builtInTypes.includes(name);
}
