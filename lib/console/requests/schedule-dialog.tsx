import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { updateChangeRequestState } from '../calls/one-request.ts';
import { reload } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { FieldProblem } from '../parts/field.tsx';
import { Chips } from '../parts/forms/chips.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { startPath } from '../reader/start.ts';
import { describeTime, fromLocalTime, toLocalTime } from '../words/times.ts';
import { type PartProps, reloadOnFailure } from './request-parts.ts';
import { suggestTimes } from './suggest-times.ts';

/** Chooses the time at which a change request is applied, in the time zone of the browser. */
export function ScheduleDialog({ page, path, onClose }: PartProps & { readonly onClose: () => void }): JSX.Element {
  const { request, version, preview } = page;
  const { schedule, environment } = request;
  const [seenVersion] = useState(version);
  const [suggestions] = useState(() => suggestTimes(new Date()));
  const [text, setText] = useState(toLocalTime(schedule?.scheduledAt ?? suggestions[1]?.time ?? Date.now()));
  const scheduledAt = fromLocalTime(text);
  const isPast = scheduledAt !== undefined && Date.parse(scheduledAt) <= Date.now();
  const isOutdated = version !== seenVersion;
  const isBroken = schedule !== undefined && schedule.status !== 'pending';
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  async function send(): Promise<void> {
    if (scheduledAt === undefined) return;
    await reloadOnFailure(
      path,
      updateChangeRequestState(
        { projectId: request.project, id: request.id },
        { body: { state: 'Scheduled', scheduledAt }, ifMatch: seenVersion },
      ),
    );
    showMessage(`It will be applied ${describeTime(scheduledAt)}`);
    await Promise.all([reload(path), reload(startPath)]);
  }

  return (
    <Confirm
      title={schedule === undefined ? `Schedule for ${environment}` : 'Choose another time'}
      verb={isOutdated ? undefined : 'Schedule'}
      cancel={isOutdated ? 'Look again' : 'Not now'}
      isDisabled={scheduledAt === undefined || isPast}
      act={send}
      onClose={onClose}
    >
      <TextField
        label="Date and time"
        hint={`Your time zone: ${zone}`}
        problem={isPast ? 'This time has passed.' : undefined}
        type="datetime-local"
        required
        min={toLocalTime(Date.now())}
        value={text}
        onInput={setText}
      />
      <Chips
        label="Times to choose"
        isTitled={false}
        options={suggestions.map(({ words, time }) => [toLocalTime(time), words] as const)}
        chosen={[text]}
        onPress={setText}
      />
      <p>
        It is applied with your rights. It fails if you may no longer apply changes in <b>{environment}</b> at that
        time. The schedule is suspended if somebody changes the same things before.
      </p>
      {isBroken && preview !== undefined && preview.conflicts.length > 0 && (
        <p>You have seen what changed underneath. Scheduling it again accepts that.</p>
      )}
      {isOutdated && <FieldProblem text="Somebody changed the request while you looked. Read it again, then decide." />}
    </Confirm>
  );
}
