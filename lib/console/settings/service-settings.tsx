import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import {
  type ChangeRequestSettings,
  getChangeRequestSettings,
  getMaintenance,
  setChangeRequestSettings,
  toggleMaintenance,
} from '../calls/settings.ts';
import { reload, useRead } from '../data/cache.ts';
import { startPath } from '../data/start.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { showMessage } from '../parts/toasts.tsx';

/** Maintenance mode, and the rules for all change requests. */
export function ServiceSettings(): JSX.Element {
  return (
    <>
      <Maintenance />
      <ChangeRequests />
    </>
  );
}

function Maintenance(): JSX.Element {
  const path = getMaintenance({});
  const { value, problem, etag } = useRead(path);
  const [asked, setAsked] = useState<boolean>();

  async function turn(enabled: boolean): Promise<void> {
    await toggleMaintenance({}, { body: { enabled }, ifMatch: etag });
    showMessage(enabled ? 'Nothing can be changed for now' : 'Changes are possible again');
    await Promise.all([reload(path), reload(startPath)]);
  }

  return (
    <section class="section card form-card" aria-labelledby="maintenance">
      <div class="section-head">
        <h2 id="maintenance">Maintenance mode</h2>
        {value !== undefined && <Switch isOn={value.enabled} label="Maintenance mode" onSwitch={setAsked} />}
      </div>
      <p class="section-note">While it is on, nothing can be changed here. SDKs still get their flags.</p>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {asked !== undefined && (
        <Confirm
          title={asked ? 'Begin maintenance?' : 'End maintenance?'}
          verb={asked ? 'Begin maintenance' : 'End maintenance'}
          isDanger={asked}
          act={() => turn(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {asked
              ? 'Every change is refused within 5 seconds, also in an incident: no flag can be switched off. SDKs still get their flags.'
              : 'Everybody can change flags again within 5 seconds.'}
          </p>
        </Confirm>
      )}
    </section>
  );
}

function ChangeRequests(): JSX.Element {
  const path = getChangeRequestSettings({});
  const { value, problem, etag } = useRead(path, 60_000);
  return (
    <section class="section card form-card" aria-labelledby="change-requests">
      <h2 id="change-requests">Change requests</h2>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={3} />}
      {value !== undefined && <ChangeRequestForm key={etag} settings={value} etag={etag} />}
    </section>
  );
}

interface FormProps {
  readonly settings: ChangeRequestSettings;
  readonly etag: string | undefined;
}

const toNumber = (text: string) => (text === '' ? null : Number(text));

function ChangeRequestForm({ settings, etag }: FormProps): JSX.Element {
  const [adminsSkip, setAdminsSkip] = useState(settings.adminsSkip);
  const [late, setLate] = useState(String(settings.lateMinutesMax ?? ''));
  const [expiry, setExpiry] = useState(String(settings.expiryDays ?? ''));
  const { isBusy, problems, send } = useSending();
  const wanted = { adminsSkip, lateMinutesMax: toNumber(late), expiryDays: toNumber(expiry) };

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    await send(async () => {
      await setChangeRequestSettings({}, { body: wanted, ifMatch: etag });
      showMessage('Saved');
      await reload(getChangeRequestSettings({}));
    });
  }

  return (
    <form class="form" onSubmit={save}>
      <Check
        label="Admins may change protected environments without approval"
        hint="The console proposes approval to them all the same, and lets them choose."
        isChecked={adminsSkip}
        onCheck={setAdminsSkip}
      />
      <div class="form-pair">
        <Field label="Give up a schedule after (minutes)" hint="Empty: never.">
          <input
            class="input"
            type="number"
            min={0}
            value={late}
            onInput={(event) => setLate(event.currentTarget.value)}
          />
        </Field>
        <Field label="Cancel requests after (days)" hint="Empty: never. At most 366.">
          <input
            class="input"
            type="number"
            min={1}
            max={366}
            value={expiry}
            onInput={(event) => setExpiry(event.currentTarget.value)}
          />
        </Field>
      </div>
      <FormProblems problems={problems} />
      <div class="form-foot">
        <Button
          type="submit"
          isBusy={isBusy}
          isDisabled={
            adminsSkip === settings.adminsSkip &&
            wanted.lateMinutesMax === settings.lateMinutesMax &&
            wanted.expiryDays === settings.expiryDays
          }
        >
          Save
        </Button>
      </div>
    </form>
  );
}
