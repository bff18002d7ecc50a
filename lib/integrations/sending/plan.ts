import { withAllProjects } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import { addons } from '../addons.ts';
import { buildIntegration, type Integration } from './integration.ts';
import * as sendingKeys from './keys.ts';
import { type ReceiverState, readReceiverState } from './receiver-state.ts';
import { removeQueues } from './remove-queues.ts';
import type { Sender } from './sender.ts';
import { adoptState, type SendingState } from './state.ts';

/** The integrations and the state of sending. The process updates it as it learns of changes. */
export interface Plan {
  readonly state: SendingState;
  readonly integrations: Map<number, Integration>;
  /** The states of receivers with events to retry, by the id of the integration. */
  readonly receivers: Map<number, ReceiverState>;
}

/**
 * Loads all integrations, also disabled ones. In a restored table, it first removes everything that waits, since that continues in
 * the original table.
 */
export async function loadPlan(sender: Sender): Promise<Plan> {
  const loadedAt = sender.clock.now();
  const request = withAllProjects(sender.request);
  const [items, all] = await Promise.all([
    queryAll<Key>(request, sendingKeys.senderItems()),
    addons.listVersioned(request),
  ]);
  const stored = items.find(({ sk }) => sk === sendingKeys.senderState().sk) as (Key & SendingState) | undefined;
  const receivers = items.flatMap((item): [number, ReceiverState][] => {
    const id = /^ADDON#(\d+)$/.exec(item.sk)?.[1];
    return id === undefined ? [] : [[Number(id), item as Key & ReceiverState]];
  });
  const state = await adoptState(request, stored, {
    now: sender.clock.now(),
    enabled: all.map(({ value }) => value).filter(({ enabled }) => enabled),
    warn: sender.warn,
    endCopied: async (isStillCopied) => {
      for (const id of new Set([...all.map(({ value }) => value.id), ...receivers.map(([id]) => id)])) {
        if (!(await removeQueues(sender, id, 'The store was restored from a copy.', [isStillCopied]))) return false;
      }
      return true;
    },
  });
  const integrations = await Promise.all(all.map((addon) => buildIntegration(request, addon, state, loadedAt)));
  return {
    state,
    integrations: new Map(integrations.map((integration) => [integration.id, integration])),
    receivers: new Map(state.store === stored?.store ? receivers : []),
  };
}

/** Tells whether any integration is enabled. */
export function isAnyEnabled({ integrations }: Plan): boolean {
  return [...integrations.values()].some(({ addon }) => addon.enabled);
}

/** The time for which an integration and the state of its receiver are cached, in milliseconds. */
const cacheMs = 5_000;

/** Returns an integration, which is at most five seconds old; undefined if it is deleted. */
export async function renewIntegration(sender: Sender, plan: Plan, id: number): Promise<Integration | undefined> {
  const cached = plan.integrations.get(id);
  const loadedAt = sender.clock.now();
  // The clock may have been set back.
  if (cached !== undefined && loadedAt >= cached.loadedAt && loadedAt < cached.loadedAt + cacheMs) return cached;
  const request = withAllProjects(sender.request);
  const [addon, receiver] = await Promise.all([addons.find(request, id), readReceiverState(request, id)]);
  const integration = addon && (await buildIntegration(request, addon, plan.state, loadedAt));
  if (integration === undefined) plan.integrations.delete(id);
  else plan.integrations.set(id, integration);
  if (receiver === undefined) plan.receivers.delete(id);
  else plan.receivers.set(id, receiver);
  return integration;
}
