import { isImported } from '../../events/event.ts';
import type { Event } from '../../events/event-schema.ts';
import { isEventVisible, redactEvent } from '../../events/event-visibility.ts';
import { loadHiddenProjects } from '../../identity/access-flags/access-flags.ts';
import { type Request, withAllProjects } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { type Addon, addons } from '../addons.ts';
import * as sendingKeys from './keys.ts';
import { type EventOutline, wants } from './matching.ts';
import { type ReceiverState, readReceiverState } from './receiver-state.ts';
import { removeQueues } from './remove-queues.ts';
import type { Sender } from './sender.ts';
import { adoptState, type SendingState, startOf } from './state.ts';

/** Integration as it is sent for. */
export interface Integration {
  readonly id: number;
  readonly version: number;
  readonly addon: Addon;
  /** The last event before it was switched on: none up to this one is sent by itself. */
  readonly after: number;
  /** The time at which it was read, in milliseconds since 1970. */
  readonly loadedAt: number;
  /** Tells whether it is about an event, and may see it. */
  readonly isFor: (event: EventOutline) => boolean;
  /** Returns an event as the integration gets it; undefined where it is not about it or must not see it. */
  readonly shownOf: (event: Event) => Event | undefined;
}

/** The integrations and the state of what is sent from the store, kept up to date by what this process meets with. */
export interface Plan {
  readonly state: SendingState;
  readonly integrations: Map<number, Integration>;
  /** The states of receivers with something to retry, by the id of the integration. */
  readonly receivers: Map<number, ReceiverState>;
}

/**
 * Reads all integrations, those that are switched off included, with what they may see. In a table that was restored, it ends all
 * that waits before: that goes on in the table that it was copied from.
 */
export async function loadPlan(sender: Sender): Promise<Plan> {
  const loadedAt = sender.clock.now();
  const work = withAllProjects(sender.work);
  const [items, all] = await Promise.all([queryAll<Key>(work, sendingKeys.senderItems()), addons.listVersioned(work)]);
  const stored = items.find(({ sk }) => sk === sendingKeys.senderState().sk) as (Key & SendingState) | undefined;
  const receivers = items.flatMap((item): [number, ReceiverState][] => {
    const id = /^ADDON#(\d+)$/.exec(item.sk)?.[1];
    return id === undefined ? [] : [[Number(id), item as Key & ReceiverState]];
  });
  const state = await adoptState(work, stored, {
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
  const integrations = await Promise.all(all.map((addon) => integrationOf(work, addon, state, loadedAt)));
  return {
    state,
    integrations: new Map(integrations.map((integration) => [integration.id, integration])),
    receivers: new Map(state.store === stored?.store ? receivers : []),
  };
}

/** Tells whether anything is to be sent. */
export function isAnyEnabled({ integrations }: Plan): boolean {
  return [...integrations.values()].some(({ addon }) => addon.enabled);
}

/** The time for which an integration, and the state of its receiver, are taken for what they were, in milliseconds. */
const trustMs = 5_000;

/** Returns an integration, which is read again once five seconds have passed; undefined if it is gone. */
export async function renewIntegration(sender: Sender, plan: Plan, id: number): Promise<Integration | undefined> {
  const known = plan.integrations.get(id);
  const loadedAt = sender.clock.now();
  // The clock may have been set back since.
  if (known !== undefined && loadedAt >= known.loadedAt && loadedAt < known.loadedAt + trustMs) return known;
  const work = withAllProjects(sender.work);
  const [addon, receiver] = await Promise.all([addons.find(work, id), readReceiverState(work, id)]);
  const integration = addon && (await integrationOf(work, addon, plan.state, loadedAt));
  if (integration === undefined) plan.integrations.delete(id);
  else plan.integrations.set(id, integration);
  if (receiver === undefined) plan.receivers.delete(id);
  else plan.receivers.set(id, receiver);
  return integration;
}

async function integrationOf(
  work: Request,
  { value: addon, version }: Versioned<Addon>,
  state: SendingState,
  loadedAt: number,
): Promise<Integration> {
  const [viewer, { after }] = await Promise.all([
    viewerOf(work, addon),
    addon.enabled ? startOf(work, state, addon, loadedAt) : { after: 0 },
  ]);
  const isFor: Integration['isFor'] = (event) => wants(addon, event) && isEventVisible(viewer, event);
  return {
    ...{ id: addon.id, version, addon, after, loadedAt, isFor },
    // The other server has sent what it has recorded.
    shownOf: (event) => (isFor(event) && !isImported(event) ? redactEvent(viewer, event) : undefined),
  };
}

/** The ids under which tokens of the service itself act, which see everything. */
const serviceIds = [-42, -1337];

/** A request that sees what the one who saved the integration may see now. */
async function viewerOf(work: Request, { savedBy }: Addon): Promise<Request> {
  if (savedBy !== undefined && serviceIds.includes(savedBy)) return work;
  const holder = { kind: 'user', name: '', ...(savedBy !== undefined && { userId: savedBy }) } as const;
  const hidden = await loadHiddenProjects(work, holder, undefined);
  return hidden.size === 0 ? work : { ...work, hiddenProjects: hidden };
}
