import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ImportValidation } from '../../imports/import-data-schema.ts';
import { getProjectEnvironments } from '../calls/environments.ts';
import { importToggles, validateImport } from '../calls/imports.ts';
import { useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { Field, FieldProblem } from '../parts/field.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { ProjectOptions } from '../parts/forms/project-options.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextArea } from '../parts/forms/text-field.tsx';
import { Banner } from '../parts/states.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { parseExport } from './parse-export.ts';

const everyMs = 60_000;

/** A checked file with its target. */
interface Checked {
  readonly project: string;
  readonly environment: string;
  readonly validation: ImportValidation;
}

/** Imports flags from a file into an environment of a project, once its validation was shown. */
export function ImportFlags(): JSX.Element {
  const { value: start } = useStart();
  const [text, setText] = useState('');
  const [chosenProject, setProject] = useState<string>();
  const [chosenEnvironment, setEnvironment] = useState<string>();
  const [checked, setChecked] = useState<Checked>();
  const [imported, setImported] = useState<Checked>();
  const { isBusy, problems, send } = useSending();
  const project = chosenProject ?? start?.projects[0]?.id ?? '';
  const { value: all } = useRead(project === '' ? undefined : getProjectEnvironments({ projectId: project }), everyMs);
  const environments = (all?.environments ?? []).filter(({ visible }) => visible).map(({ name }) => name);
  const environment = environments.find((name) => name === chosenEnvironment) ?? environments[0] ?? '';
  const file = text === '' ? undefined : parseExport(text);
  const isCurrent = checked?.project === project && checked.environment === environment;
  const mayImport = mayIn(start, 'UPDATE_FEATURE', project);

  async function check(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (file?.data === undefined) return;
    const body = { project, environment, data: file.data };
    await send(async () => {
      const { body: validation } = await validateImport({}, { body });
      setChecked({ project, environment, validation });
      setImported(undefined);
    });
  }

  async function carryOut(): Promise<void> {
    if (file?.data === undefined || checked === undefined) return;
    const body = { project, environment, data: file.data };
    const isDone = await send(() => importToggles({}, { body }));
    if (!isDone) return;
    setImported(checked);
    setChecked(undefined);
  }

  function put(content: string): void {
    setText(content);
    setChecked(undefined);
    setImported(undefined);
  }

  return (
    <section class="section" aria-labelledby="import">
      <h2 id="import">Import flags</h2>
      <p class="section-note">
        Flags of the file are created, and those that exist get its strategies and variants in the environment. First
        you see what would happen.
      </p>
      {imported !== undefined && (
        <Banner tone="info" icon="check" title={`Imported into ${imported.project} / ${imported.environment}`}>
          <a class="banner-link" href={`/projects/${imported.project}`}>
            See the flags
          </a>
          . Where changes need approval, they wait in{' '}
          <a class="banner-link" href="/reviews">
            Reviews
          </a>
          .
        </Banner>
      )}
      <form class="form card form-card" onSubmit={check}>
        <Field label="File" hint="JSON, as the export writes it.">
          <input
            class="input"
            type="file"
            accept="application/json,.json"
            onChange={async (event) => put((await event.currentTarget.files?.[0]?.text()) ?? '')}
          />
        </Field>
        <details>
          <summary>Or paste it</summary>
          <TextArea label="Content" isCode rows={8} value={text} onInput={put} />
        </details>
        {file?.problem !== undefined && <FieldProblem text={file.problem} />}
        {file?.data !== undefined && <p class="muted">{countOf(file.flags, 'flag')} in the file.</p>}
        <div class="form-pair">
          <SelectField label="Into the project" value={project} options={[]} onChoose={setProject}>
            <ProjectOptions />
          </SelectField>
          <SelectField
            label="Into the environment"
            value={environment}
            options={environments}
            onChoose={setEnvironment}
          />
        </div>
        <FormFoot
          verb="Check it"
          problems={problems}
          kind={isCurrent ? 'plain' : 'solid'}
          isBusy={isBusy && !isCurrent}
          reason={mayImport ? undefined : 'Needs the permission to change flags in this project.'}
          isDisabled={file?.data === undefined || environment === ''}
        />
      </form>
      {isCurrent && checked !== undefined && (
        <Outcome checked={checked} flags={file?.flags ?? 0} isBusy={isBusy} onImport={carryOut} />
      )}
    </section>
  );
}

interface OutcomeProps {
  readonly checked: Checked;
  readonly flags: number;
  readonly isBusy: boolean;
  readonly onImport: () => Promise<void>;
}

/** The outcome of the validation, and the import itself if nothing stands against it. */
function Outcome({ checked, flags, isBusy, onImport }: OutcomeProps): JSX.Element {
  const { project, environment, validation } = checked;
  const { errors, warnings, permissions } = validation;
  const isPossible = errors.length + permissions.length === 0;
  return (
    <section class="card form-card section import-outcome" aria-labelledby="outcome" role="status">
      <h3 id="outcome">
        {isPossible
          ? `${countOf(flags, 'flag')} would go into ${project} / ${environment}`
          : 'It cannot be imported like this'}
      </h3>
      <Items title="Errors" items={errors} tone="bad" />
      <Items title="Permissions that you lack" items={permissions} tone="bad" />
      <Items title="To know" items={warnings} tone="warn" />
      {isPossible && warnings.length === 0 && <p class="muted">Nothing that exists is changed.</p>}
      {isPossible && (
        <div class="form-foot">
          <Button kind="solid" isBusy={isBusy} onClick={onImport}>
            Import {countOf(flags, 'flag')}
          </Button>
        </div>
      )}
    </section>
  );
}

interface ItemsProps {
  readonly title: string;
  readonly items: ImportValidation['errors'];
  readonly tone: 'bad' | 'warn';
}

function Items({ title, items, tone }: ItemsProps): JSX.Element | null {
  if (items.length === 0) return null;
  return (
    <Banner tone={tone} icon="triangle-alert" title={title}>
      <ul class="import-items">
        {items.map(({ message, affectedItems }) => (
          <li key={message}>
            {message}
            {affectedItems.length > 0 && (
              <>
                {' '}
                <span class="mono">{affectedItems.slice(0, 20).join(', ')}</span>
                {affectedItems.length > 20 && ` and ${affectedItems.length - 20} more`}
              </>
            )}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
