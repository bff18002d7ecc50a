import '../parts/forms/form.css';
import type { JSX } from 'preact';
import {
  type EnvironmentRules,
  getProjectChangeRequestConfig,
  getProjectOverview,
  updateProjectChangeRequestConfig,
} from '../calls/projects.ts';
import { peek, reload } from '../data/cache.ts';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { Field } from '../parts/field.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { startPath } from '../reader/start.ts';
import { describeRules, type RulesDraft, toRulesBody, toRulesDraft } from './describe-rules.ts';

/** Delays of an override that are offered, in minutes. */
const delays: readonly (readonly [minutes: number | null, text: string])[] = [
  [0, 'At once; others look at it afterwards'],
  [5, 'After 5 minutes, in which others can end it'],
  [15, 'After 15 minutes, in which others can end it'],
  [60, 'After an hour, in which others can end it'],
  [null, 'Never'],
];

interface RulesFormProps {
  readonly project: string;
  readonly rules: EnvironmentRules;
  /** @param warning what the service warns of, once the rules are saved. */
  readonly onSaved: (warning: string | undefined) => void;
  readonly onClose: () => void;
}

/** The form for the approval that changes need in an environment. */
export function RulesForm({ project, rules, onSaved, onClose }: RulesFormProps): JSX.Element {
  const { environment } = rules;
  const overviewPath = getProjectOverview({ projectId: project });
  const configPath = getProjectChangeRequestConfig({ projectId: project });
  const { draft, set, isBusy, problems, save, conflict } = useEdits({
    original: { value: toRulesDraft(rules), etag: peek(overviewPath).etag },
    send: (edits: RulesDraft, { etag }) =>
      updateProjectChangeRequestConfig(
        { projectId: project, environment },
        { body: toRulesBody(edits), ifMatch: etag },
      ),
    // The version is that of the whole project.
    load: async () => {
      await Promise.all([reload(overviewPath), reload(configPath)]);
      const current = peek(configPath).value?.find((each) => each.environment === environment);
      return current && { value: toRulesDraft(current), etag: peek(overviewPath).etag };
    },
    onSaved: (saved, { warning }) => {
      void reload(startPath);
      showMessage(`${environment}: ${describeRules(saved)}`);
      onSaved(warning);
    },
  });
  const choices = delays.some(([minutes]) => minutes === draft.overrideDelay)
    ? delays
    : [...delays, [draft.overrideDelay, `After ${draft.overrideDelay} minutes`] as const];

  return (
    <form class="form" aria-label={`Rules of ${environment}`} onSubmit={save}>
      <Check label="Changes need approval" isChecked={draft.isOn} onCheck={(isOn) => set({ isOn })} />
      <p class="muted" role="status">
        {describeRules(draft)}
      </p>
      {draft.isOn && (
        <>
          <TextField
            label="Approvals"
            hint="Admins, and members of the project with the role Approver, can approve."
            type="number"
            min={1}
            max={10}
            required
            value={draft.approvals}
            onInput={(value) => set({ approvals: Number(value) })}
          />
          <Check
            label="Admins may approve their own changes"
            isChecked={draft.selfApproval === 'admin'}
            onCheck={(isAllowed) => set({ selfApproval: isAllowed ? 'admin' : 'never' })}
          />
          <Field label="In an emergency, who may approve can override">
            <select
              class="input"
              value={String(draft.overrideDelay)}
              onChange={({ currentTarget: { value } }) =>
                set({ overrideDelay: value === 'null' ? null : Number(value) })
              }
            >
              {choices.map(([minutes, text]) => (
                <option key={String(minutes)} value={String(minutes)}>
                  {text}
                </option>
              ))}
            </select>
          </Field>
          <SelectField
            label="If somebody has changed the same thing meanwhile"
            value={draft.onDrift}
            options={[
              ['refuse', 'It cannot be applied until its author looks at it again'],
              ['overwrite', 'It is applied, and overwrites the other change'],
            ]}
            onChoose={(onDrift) => set({ onDrift })}
          />
        </>
      )}
      <FormFoot verb="Save" problems={problems} isBusy={isBusy} cancel={onClose} />
      {conflict}
    </form>
  );
}
