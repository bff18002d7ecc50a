import { codec } from '../entity/codec.ts';
import { entity } from '../entity/entity.ts';
import { keys, partitions } from '../table/keys.ts';

/** What sends events elsewhere, e.g. to a chat. */
export interface Addon {
  readonly id: number;
  readonly provider: string;
  readonly enabled: boolean;
  readonly description: string | null;
  readonly createdAt: string;
  /** What the provider needs, secrets among it. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The types of events that it sends. */
  readonly events: readonly string[];
  /** The projects whose events it sends; none means all. */
  readonly projects: readonly string[];
  /** The environments whose events it sends; none means all. */
  readonly environments: readonly string[];
}

export const addons = entity<Addon, number>({
  kind: 'addon',
  idOf: ({ id }) => id,
  keyOf: keys.addon,
  partitions: [partitions.addons()],
  codec: codec<Addon>({ parameters: true, events: true, projects: true, environments: true }),
  counter: 'addon',
  events: { created: 'addon-config-created', updated: 'addon-config-updated', deleted: 'addon-config-deleted' },
  // The parameters hold the secrets of others.
  shown: ({ parameters: _parameters, ...shown }) => shown,
});
