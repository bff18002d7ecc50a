import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { go } from '../browser/router.ts';
import { changeProject, cloneFeature } from '../calls/flags.ts';
import { expireFlagLists } from '../change/expire-flag-lists.ts';
import { NameField, useNameCheck } from '../new-flag/name-field.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { useStart } from '../reader/start.ts';

interface FlagDialogProps {
  readonly project: string;
  readonly feature: string;
  readonly onClose: () => void;
}

/** Copies a flag to another name. */
export function CopyDialog({ project, feature, onClose }: FlagDialogProps): JSX.Element {
  const [name, setName] = useState(`${feature}-copy`);
  const check = useNameCheck(name, project);

  async function copy(): Promise<void> {
    await cloneFeature({ projectId: project, featureName: feature }, { body: { name } });
    expireFlagLists();
    showMessage(`Copied ${feature} to ${name}`);
    go(`/projects/${project}/features/${name}`);
  }

  return (
    <Confirm title={`Copy ${feature}`} verb="Copy" isDisabled={check !== 'free'} act={copy} onClose={onClose}>
      <p>The copy has the same strategies and variants. It is off in every environment, and has no tags.</p>
      <NameField label="Name of the copy" name={name} check={check} onInput={setName} />
    </Confirm>
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
      <SelectField
        label="Project"
        value={target}
        options={others.map(({ id, name }) => [id, name] as const)}
        onChoose={setChosen}
      />
    </Confirm>
  );
}
