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
import { loadVersioned } from '../data/load-versioned.ts';
import type { Versioned } from '../data/save-edits.ts';
import { Confirm } from '../parts/confirm.tsx';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { startPath } from '../reader/start.ts';

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
      {value !== undefined && <ChangeRequestForm original={{ value: toEdits(value), etag }} />}
    </section>
  );
}

/** The settings as they are typed; an empty number is none. */
interface ChangeRequestEdits {
  readonly adminsSkip: boolean;
  readonly late: string;
  readonly expiry: string;
}

function toEdits({ adminsSkip, lateMinutesMax, expiryDays }: ChangeRequestSettings): ChangeRequestEdits {
  return { adminsSkip, late: String(lateMinutesMax ?? ''), expiry: String(expiryDays ?? '') };
}

const toNumber = (text: string) => (text === '' ? null : Number(text));

function ChangeRequestForm({ original }: { readonly original: Versioned<ChangeRequestEdits> }): JSX.Element {
  const { draft, set, isEdited, isBusy, problems, save, notice, conflict } = useEdits({
    key: 'draft settings of change requests',
    original,
    send: ({ adminsSkip, late, expiry }, { etag }) => {
      const body = { adminsSkip, lateMinutesMax: toNumber(late), expiryDays: toNumber(expiry) };
      return setChangeRequestSettings({}, { body, ifMatch: etag });
    },
    load: () => loadVersioned(getChangeRequestSettings({}), toEdits),
    onSaved: () => showMessage('Saved'),
  });

  return (
    <form class="form" onSubmit={save}>
      {notice}
      <Check
        label="Admins may change protected environments without approval"
        hint="The console proposes approval to them all the same, and lets them choose. Which environments are protected is said in the settings of each project, under Approval."
        isChecked={draft.adminsSkip}
        onCheck={(adminsSkip) => set({ adminsSkip })}
      />
      <div class="form-pair">
        <TextField
          label="Give up a schedule after (minutes)"
          hint="Empty: never."
          type="number"
          min={0}
          value={draft.late}
          onInput={(late) => set({ late })}
        />
        <TextField
          label="Cancel requests after (days)"
          hint="Empty: never. At most 366."
          type="number"
          min={1}
          max={366}
          value={draft.expiry}
          onInput={(expiry) => set({ expiry })}
        />
      </div>
      <FormFoot verb="Save" problems={problems} isBusy={isBusy} isDisabled={!isEdited} kind="plain" />
      {conflict}
    </form>
  );
}
