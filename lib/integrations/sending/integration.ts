import { isImported } from '../../events/event.ts';
import type { Event } from '../../events/event-schema.ts';
import { isEventVisible, redactEvent } from '../../events/event-visibility.ts';
import { loadHiddenProjects } from '../../identity/access-flags/access-flags.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Addon } from '../addon-schema.ts';
import { type EventOutline, wants } from './matching.ts';
import { loadStart, type SendingState } from './state.ts';

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

/** Builds an integration as it was read at a time. */
export async function buildIntegration(
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
