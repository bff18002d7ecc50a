import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { changeProject, cloneFeature } from '../calls/flags.ts';
import { useStart } from '../data/start.ts';
import { useSending } from '../data/use-sending.ts';
import { expireFlagLists } from '../flags/expire-flag-lists.ts';
import { NameField, useNameCheck } from '../new-flag/name-field.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { go } from '../shell/router.ts';

interface FlagDialogProps {
  readonly project: string;
  readonly feature: string;
  readonly onClose: () => void;
}

/** Copies a flag to another name. */
export function CopyDialog({ project, feature, onClose }: FlagDialogProps): JSX.Element {
  const [name, setName] = useState(`${feature}-copy`);
  const check = useNameCheck(name, project);
  const { isBusy, problems, send } = useSending();

  async function copy(): Promise<void> {
    const isCopied = await send(() => cloneFeature({ projectId: project, featureName: feature }, { body: { name } }));
    if (!isCopied) return;
    expireFlagLists();
    showMessage(`Copied ${feature} to ${name}`);
    go(`/projects/${project}/features/${name}`);
  }

  return (
    <Dialog
      title={`Copy ${feature}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="solid" isBusy={isBusy} isDisabled={check !== 'free'} onClick={copy}>
            Copy
          </Button>
        </>
      }
    >
      <p>The copy has the same strategies and variants. It is off in every environment, and has no tags.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (check === 'free') void copy();
        }}
      >
        <NameField label="Name of the copy" name={name} check={check} onInput={setName} />
      </form>
      <FormProblems problems={problems} />
    </Dialog>
  );
}

/** Moves a flag to another project. */
export function MoveDialog({
  project,
  feature,
  version,
  onClose,
}: FlagDialogProps & { readonly version: string }): JSX.Element {
  const { value: start } = useStart();
  const others = (start?.projects ?? []).filter(({ id }) => id !== project);
  const [chosen, setChosen] = useState<string>();
  const target = chosen ?? others[0]?.id;

  async function move(): Promise<void> {
    if (target === undefined) return;
    await changeProject(
      { projectId: project, featureName: feature },
      { body: { newProjectId: target }, ifMatch: version },
    );
    expireFlagLists();
    showMessage(`Moved ${feature} to ${target}`);
    go(`/projects/${target}/features/${feature}`);
  }

  return (
    <Confirm
      title={`Move ${feature} to another project`}
      verb="Move"
      reason={target === undefined ? 'There is no other project.' : undefined}
      act={move}
      onClose={onClose}
    >
      <p>
        Applications get the same as before if their token covers both projects. The people of the other project decide
        about the flag then.
      </p>
      <Field label="Project">
        <select class="input" value={target} onChange={(event) => setChosen(event.currentTarget.value)}>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
    </Confirm>
  );
}
