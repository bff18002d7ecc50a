import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { go } from '../browser/router.ts';
import { getConsoleFlag } from '../calls/flags.ts';
import { addChangeRequestChanges } from '../calls/requests.ts';
import { peek, reload } from '../data/cache.ts';
import { Refusal } from '../data/client.ts';
import { attempt } from '../parts/attempt.ts';
import { Confirm } from '../parts/confirm.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { useStart } from '../reader/start.ts';
import { addToDraft, describeDraft, orWithoutApproval } from '../words/change-requests.ts';
import { tellEvent } from '../words/events.ts';
import { describeAge } from '../words/times.ts';
import { type FlagChange, maySkipApproval, wayOf } from './change-way.ts';
import { expireFlagLists } from './expire-flag-lists.ts';

/** Returns functions that carry out changes of the shown flag, and tell whether they need approval. */
function useWays(flag: ConsoleFlag) {
  const { value: start } = useStart();
  const path = getConsoleFlag({ projectId: flag.feature.project, featureName: flag.feature.name });

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

  return {
    carryOut,
    isDirect: ({ request, place }: FlagChange) => request === undefined || wayOf(start, place) === 'direct',
    maySkip: ({ request, place }: FlagChange) => request !== undefined && maySkipApproval(start, place),
  };
}

/**
 * Carries out changes of a flag.
 * @param describe returns what the dialog says before the effect of a change.
 * @returns a function that begins a change, and the dialog that it may open.
 */
export function useFlagChange(
  flag: ConsoleFlag,
  describe: (change: FlagChange) => ComponentChildren = () => undefined,
): [(change: FlagChange) => void, JSX.Element | null] {
  const { carryOut, isDirect } = useWays(flag);
  const [asked, setAsked] = useState<FlagChange>();

  function begin(change: FlagChange): void {
    if (change.isAsked || !isDirect(change)) setAsked(change);
    else void attempt(() => carryOut(change));
  }

  if (asked === undefined) return [begin, null];
  return [
    begin,
    <ChangeDialog key={asked.title} flag={flag} change={asked} onClose={() => setAsked(undefined)}>
      {describe(asked)}
    </ChangeDialog>,
  ];
}

interface ChangeDialogProps {
  readonly flag: ConsoleFlag;
  /** The change that the fields of the dialog make; undefined while they are incomplete. */
  readonly change: FlagChange | undefined;
  /** The title of a dialog whose change may be incomplete. */
  readonly title?: string;
  /** The verb of such a dialog. */
  readonly verb?: string;
  readonly kind?: 'wide';
  readonly onClose: () => void;
  /** Fields above the effect. They keep their values if the change fails. */
  readonly children?: ComponentChildren;
}

/** Asks before a change of a flag. Then it carries the change out or adds it to a draft, and shows why this fails. */
export function ChangeDialog({
  flag,
  change,
  title,
  verb = 'Save',
  kind,
  onClose,
  children,
}: ChangeDialogProps): JSX.Element {
  const { carryOut, isDirect, maySkip } = useWays(flag);
  const isAsking = change !== undefined && !isDirect(change);
  const other = change !== undefined && maySkip(change);
  return (
    <Confirm
      title={title ?? change?.title ?? ''}
      {...(kind && { kind })}
      verb={isAsking ? addToDraft : (change?.verb ?? verb)}
      isDanger={!isAsking && change?.isDanger === true}
      isDisabled={change === undefined}
      act={() => change && (isAsking ? addChange(change) : carryOut(change))}
      other={other ? { verb: `${change.verb} without approval`, act: () => carryOut(change) } : undefined}
      onClose={onClose}
    >
      {children}
      {change !== undefined && change.effect !== '' && <p>{change.effect}</p>}
      {isAsking && <p>{describeDraft(change.place.environment, change.place.approvals)}</p>}
      {other && <p>{orWithoutApproval}</p>}
    </Confirm>
  );
}

/** Sends a change of the shown version of the flag, and once more if others have changed only other parts of the flag. */
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
    if (!isUntouched) throw now?.events[0] === undefined ? error : tellOvertaken(now.events[0]);
    await change.send(now.version);
  }
}

/** Builds the refusal of a change after a change by somebody else, with their name and what they did. */
function tellOvertaken(event: ConsoleFlag['events'][number]): Refusal {
  const message = `${event.author} ${tellEvent(event)} ${describeAge(event.createdAt)}. What you see now is current: decide again.`;
  return new Refusal(409, { message });
}

/** Adds a change to the draft of the reader, and opens it. */
async function addChange({ place, request }: Pick<FlagChange, 'place' | 'request'>): Promise<void> {
  if (request === undefined) return;
  const { project, environment } = place;
  const { body } = await addChangeRequestChanges({ projectId: project, environment }, { body: request });
  const [asked] = [body].flat();
  if (asked !== undefined) go(`/projects/${project}/change-requests/${asked.id}`);
}
