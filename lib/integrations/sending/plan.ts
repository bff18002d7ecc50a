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
import { adoptState, loadStart, type SendingState } from './state.ts';

/** An integration with the facts that sending needs. */
export interface Integration {
  readonly id: number;
  readonly version: number;
  readonly addon: Addon;
  /** The last event before it was enabled. Events up to this one are only sent on request. */
  readonly after: number;
  /** The time at which it was read, in milliseconds since 1970. */
  readonly loadedAt: number;
  /** Tells whether its filters accept an event, and its user may see it. */
  readonly isFor: (event: EventOutline) => boolean;
  /** Returns an event as the integration sends it; undefined if it must not send it. */
  readonly shownOf: (event: Event) => Event | undefined;
}

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

async function buildIntegration(
  request: Request,
  { value: addon, version }: Versioned<Addon>,
  state: SendingState,
  loadedAt: number,
): Promise<Integration> {
  const [viewer, { after }] = await Promise.all([
    buildViewer(request, addon),
    addon.enabled ? loadStart(request, state, addon, loadedAt) : { after: 0 },
  ]);
  const isFor: Integration['isFor'] = (event) => wants(addon, event) && isEventVisible(viewer, event);
  return {
    ...{ id: addon.id, version, addon, after, loadedAt, isFor },
    // The server of a migration has already sent its events.
    shownOf: (event) => (isFor(event) && !isImported(event) ? redactEvent(viewer, event) : undefined),
  };
}

/** The ids of the tokens of the service itself, which see everything. */
const serviceIds = [-42, -1337];

/** Builds a request that sees what the user who saved the integration may see. */
async function buildViewer(request: Request, { savedBy }: Addon): Promise<Request> {
  if (savedBy !== undefined && serviceIds.includes(savedBy)) return request;
  const holder = { kind: 'user', name: '', ...(savedBy !== undefined && { userId: savedBy }) } as const;
  const hidden = await loadHiddenProjects(request, holder, undefined);
  return hidden.size === 0 ? request : { ...request, hiddenProjects: hidden };
}
