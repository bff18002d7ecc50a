import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { getConsoleFlag } from '../calls/flags.ts';
import { type AskedChange, addChangeRequestChanges } from '../calls/requests.ts';
import { peek, reload } from '../data/cache.ts';
import { Refusal } from '../data/client.ts';
import { useStart } from '../data/start.ts';
import { expireFlagLists } from '../flags/expire-flag-lists.ts';
import { attempt } from '../parts/attempt.ts';
import { Confirm } from '../parts/confirm.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { go } from '../shell/router.ts';
import { addToDraft, describeDraft, orWithoutApproval } from '../words/change-requests.ts';
import { maySkipApproval, type SwitchPlace, wayOf } from './change-way.ts';

/** A change of a flag that is one act: it is carried out directly, or becomes part of a change request. */
export interface FlagChange {
  readonly place: SwitchPlace;
  /** A question that names the object: "Remove “Beta testers” in production?". */
  readonly title: string;
  readonly verb: string;
  readonly isDanger?: boolean;
  /** True to ask first although a change needs no approval. */
  readonly isAsked: boolean;
  readonly effect: string;
  /** The change as a change request has it. */
  readonly request: AskedChange;
  readonly send: (ifMatch: string | undefined) => Promise<unknown>;
  /** Returns the part of the flag that the change is about: where others changed only other parts, it is sent again. */
  readonly part: (flag: ConsoleFlag) => unknown;
  /** The message after the change. */
  readonly done: string;
  readonly undo?: () => Promise<unknown>;
  /** The page to open after the change; undefined to stay. */
  readonly next?: string;
}

/** Carries out changes of a flag. @returns a function that begins a change, and the dialog that it may open. */
export function useFlagChange(flag: ConsoleFlag): [(change: FlagChange) => void, JSX.Element | null] {
  const { value: start } = useStart();
  const [asked, setAsked] = useState<FlagChange>();
  const path = getConsoleFlag({ projectId: flag.feature.project, featureName: flag.feature.name });
  const isDirect = (change: FlagChange) => wayOf(start, change.place) === 'direct';

  async function carryOut(change: FlagChange): Promise<void> {
    await sendChange(change, flag, path);
    showMessage(change.done, change.undo && { undo: () => void undo(change) });
    expireFlagLists();
    if (change.next !== undefined) return go(change.next);
    await reload(path);
  }

  async function undo(change: FlagChange): Promise<void> {
    await attempt(async () => change.undo?.());
    await reload(path);
  }

  function begin(change: FlagChange): void {
    if (change.isAsked || !isDirect(change)) setAsked(change);
    else void attempt(() => carryOut(change));
  }

  if (asked === undefined) return [begin, null];
  const isAsking = !isDirect(asked);
  const maySkip = maySkipApproval(start, asked.place);
  return [
    begin,
    <Confirm
      key={asked.title}
      title={asked.title}
      verb={isAsking ? addToDraft : asked.verb}
      isDanger={!isAsking && asked.isDanger === true}
      act={() => (isAsking ? addChange(asked) : carryOut(asked))}
      other={maySkip ? { verb: `${asked.verb} without approval`, act: () => carryOut(asked) } : undefined}
      onClose={() => setAsked(undefined)}
    >
      <p>{asked.effect}</p>
      {isAsking && <p>{describeDraft(asked.place.environment, asked.place.approvals)}</p>}
      {maySkip && <p>{orWithoutApproval}</p>}
    </Confirm>,
  ];
}

/** Sends a change of the flag as the page shows it, and once more if others have changed only other parts of it. */
async function sendChange(
  change: FlagChange,
  flag: ConsoleFlag,
  path: ReturnType<typeof getConsoleFlag>,
): Promise<void> {
  try {
    await change.send(flag.version);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 412) throw error;
    await reload(path);
    const { value: now } = peek(path);
    const isUntouched = now && JSON.stringify(change.part(now)) === JSON.stringify(change.part(flag));
    if (!isUntouched) throw error;
    await change.send(now.version);
  }
}

/** Adds a change to the draft of the reader, and opens it. */
async function addChange({ place, request }: Pick<FlagChange, 'place' | 'request'>): Promise<void> {
  const { project, environment } = place;
  const { body } = await addChangeRequestChanges({ projectId: project, environment }, { body: request });
  const [asked] = [body].flat();
  if (asked !== undefined) go(`/projects/${project}/change-requests/${asked.id}`);
}
