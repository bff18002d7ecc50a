import { isImported } from '../../events/event.ts';
import { isEventSeen } from '../../events/event-log.ts';
import type { Event } from '../../events/event-schema.ts';
import { seenEvent } from '../../events/seen-event.ts';
import { loadHiddenProjects } from '../../identity/access-flags/access-flags.ts';
import type { Request } from '../../request.ts';
import { everything } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll } from '../../store/read.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { type Addon, addons } from '../addons.ts';
import type { Answer } from './answer.ts';
import type { Health } from './health.ts';
import * as sendingKeys from './keys.ts';
import { type Outline, wants } from './matching.ts';
import { type Clock, Pace } from './pace.ts';
import { removeLanes } from './remains.ts';
import type { Outgoing } from './requests/outgoing.ts';
import { ownState, type SendingState, type StoredState, startOf } from './state.ts';

/** One line of the log about an attempt: no address, no content. */
export interface AttemptLine {
  readonly level: 'INFO' | 'WARN' | 'ERROR';
  readonly integration: number;
  readonly provider: string;
  readonly eventId: number;
  readonly type: string;
  readonly attempt: number;
  readonly ms: number;
  readonly outcome: string;
}

/** Everything that sending needs of its surroundings; the same in Lambda and on a machine. */
export interface Sender {
  readonly work: Request;
  /** Posts a request, past the gate. */
  readonly post: (request: Outgoing) => Promise<Answer>;
  readonly clock: Clock;
  /** The address of this service, for links. */
  readonly publicUrl: () => string | undefined;
  /** The header `user-agent`. */
  readonly userAgent: string;
  readonly log: (line: AttemptLine) => void;
  /** Tells operators of something that they should look at, in a sentence without its full stop. */
  readonly warn: (what: string) => void;
  /** No further event is begun once it aborts. */
  readonly signal: AbortSignal;
  readonly paces: Map<string, Pace>;
}

/** The real time. */
export const realClock: Clock = {
  now: Date.now,
  sleep: (milliseconds) => new Promise((done) => void setTimeout(done, milliseconds)),
};

/** Integration as it is sent for. */
export interface Integration {
  readonly id: number;
  readonly version: number;
  readonly addon: Addon;
  /** The last event before it was switched on: none up to this one is sent by itself. */
  readonly after: number;
  /** Returns an event as the integration gets it; undefined where it is not about it or must not see it. */
  readonly shownOf: (event: Event) => Event | undefined;
  /** Tells whether it is about an event, and may see it. */
  readonly isFor: (event: Outline) => boolean;
}

/** The integrations, and the state of what is sent from the store. */
export interface Plan {
  readonly state: SendingState;
  readonly integrations: ReadonlyMap<number, Integration>;
  /** The troubles of integrations, by id: kept up to date by what this process meets with. */
  readonly health: Map<number, Health>;
  /** Milliseconds since 1970. */
  readonly loadedAt: number;
}

/**
 * Reads all integrations, those that are switched off included, with what they may see. In a table that was restored, it ends all
 * that waits before: that goes on in the table that it was copied from.
 */
export async function loadPlan(sender: Sender): Promise<Plan> {
  const loadedAt = sender.clock.now();
  const work = everything(sender.work);
  const [items, all] = await Promise.all([queryAll<Key>(work, sendingKeys.sending()), addons.listVersioned(work)]);
  const known = items.find(({ sk }) => sk === sendingKeys.sendingState().sk) as (Key & StoredState) | undefined;
  const troubled = items.flatMap((item): [number, Health][] => {
    const id = /^ADDON#(\d+)$/.exec(item.sk)?.[1];
    return id === undefined ? [] : [[Number(id), item as Key & Health]];
  });
  const now = sender.clock.now();
  const state = await ownState(work, known, {
    now,
    enabled: all.map(({ value }) => value).filter(({ enabled }) => enabled),
    warn: sender.warn,
    endCopied: async (isStillCopied) => {
      for (const id of new Set([...all.map(({ value }) => value.id), ...troubled.map(([id]) => id)])) {
        if (!(await removeLanes(sender, id, 'The store was restored from a copy.', [isStillCopied]))) return false;
      }
      return true;
    },
  });
  const health = state.store === known?.store ? troubled : [];
  const integrations = await Promise.all(all.map((each) => integrationOf(work, each, state, now)));
  return {
    state,
    integrations: new Map(integrations.map((each) => [each.id, each])),
    health: new Map(health),
    loadedAt,
  };
}

/** The time for which an integration, and its troubles, are taken for what they were, in milliseconds. */
const trustMs = 5_000;

/** Tells whether what was loaded at a time is still taken for what it is; not where the clock was set back since. */
export function isTrusted(loadedAt: number, now: number): boolean {
  return now >= loadedAt && now < loadedAt + trustMs;
}

/** Reads one integration again; undefined if it is gone. */
export async function reloadIntegration(
  sender: Sender,
  id: number,
  state: SendingState,
): Promise<Integration | undefined> {
  const work = everything(sender.work);
  const found = await addons.find(work, id);
  return found && integrationOf(work, found, state, sender.clock.now());
}

/** Tells whether an integration is still what it was when it was loaded. */
export async function isUnchanged(sender: Sender, { id, version }: Integration, { state }: Plan): Promise<boolean> {
  return (await reloadIntegration(sender, id, state))?.version === version;
}

async function integrationOf(
  work: Request,
  { value: addon, version }: Versioned<Addon>,
  state: SendingState,
  now: number,
): Promise<Integration> {
  const [seen, { after }] = await Promise.all([
    sightOf(work, addon),
    addon.enabled ? startOf(work, state, addon, now) : { after: 0 },
  ]);
  const isFor: Integration['isFor'] = (event) => wants(addon, event) && isEventSeen(seen, event);
  return {
    ...{ id: addon.id, version, addon, after, isFor },
    // The other server has sent what it has recorded.
    shownOf: (event) => (isFor(event) && !isImported(event) ? seenEvent(seen, event) : undefined),
  };
}

/** The ids under which tokens of the service itself act, which see everything. */
const service = [-42, -1337];

/** A request that sees what the one who saved the integration may see now. */
async function sightOf(work: Request, { savedBy }: Addon): Promise<Request> {
  if (savedBy !== undefined && service.includes(savedBy)) return work;
  const holder = { kind: 'user', name: '', ...(savedBy !== undefined && { userId: savedBy }) } as const;
  const hidden = await loadHiddenProjects(work, holder, undefined);
  return hidden.size === 0 ? work : { ...work, hiddenProjects: hidden };
}

/** Requests and lanes at once; Slack takes about one message a second. */
const lanesAtOnce = 10;
const slackPauseMs = 1_000;

/** Returns the pace of an integration, the same for all that this process sends to it, until it is one of another provider. */
export function paceOf({ paces, clock }: Sender, { id, addon: { provider } }: Integration): Pace {
  const name = `${id} ${provider}`;
  const known = paces.get(name);
  if (known !== undefined) return known;
  const pace = new Pace(clock, { atOnce: lanesAtOnce, pauseMs: provider.startsWith('slack') ? slackPauseMs : 0 });
  paces.set(name, pace);
  return pace;
}
