import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getAllEnvironments } from '../calls/environments.ts';
import { exportFeatures } from '../calls/imports.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { ProjectOptions } from '../parts/forms/project-options.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextArea } from '../parts/forms/text-field.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { countOf } from '../words/numbers.ts';
import { splitLines } from '../words/split-lines.ts';
import { saveFile } from './save-file.ts';

const path = getAllEnvironments({});
const everyMs = 60_000;

/** Exports flags as they are in an environment to a file. */
export function ExportFlags(): JSX.Element {
  const { value, problem } = useRead(path, everyMs);
  const [project, setProject] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [names, setNames] = useState('');
  const { isBusy, problems, send } = useSending();
  const environments = value?.environments.map(({ name }) => name) ?? [];
  const environment = chosen ?? environments[0] ?? '';

  async function download(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const features = splitLines(names);
    await send(async () => {
      const { body } = await exportFeatures(
        {},
        { body: { environment, ...(features.length > 0 ? { features } : project !== '' && { project }) } },
      );
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`flags-${project || 'all'}-${environment}-${day}.json`, JSON.stringify(body, null, 2));
      showMessage(`${countOf(body.features.length, 'flag')} exported`);
    });
  }

  return (
    <section class="section" aria-labelledby="export">
      <h2 id="export">Export flags</h2>
      <p class="section-note">
        The file has everything that an import needs: strategies, variants, tags, links and dependencies. Segments are
        named; they have to exist where the file is imported.
      </p>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={4} />}
      {value !== undefined && (
        <form class="form card form-card" onSubmit={download}>
          <div class="form-pair">
            <SelectField label="Project" value={project} options={[['', 'All projects']]} onChoose={setProject}>
              <ProjectOptions />
            </SelectField>
            <SelectField label="Environment" value={environment} options={environments} onChoose={setChosen} />
          </div>
          <TextArea
            label="Only these flags"
            hint="Names, one a line. Empty: all flags of the project."
            isCode
            rows={3}
            value={names}
            onInput={setNames}
          />
          <FormFoot verb="Download" problems={problems} isBusy={isBusy} isDisabled={environment === ''} />
        </form>
      )}
    </section>
  );
}
