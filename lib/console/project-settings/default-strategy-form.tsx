import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { EnvironmentOfProject } from '../../environments/environment-schema.ts';
import { getProjectEnvironments } from '../calls/environments.ts';
import { addDefaultStrategyToProjectEnvironment, getProjectOverview } from '../calls/projects.ts';
import { reload } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { StickinessField } from '../parts/forms/stickiness-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { buildDefaultStrategy, describeDefaultStrategy, toStrategyDraft } from './default-strategy.ts';

interface DefaultStrategyFormProps {
  readonly project: string;
  readonly environment: EnvironmentOfProject;
  readonly onClose: () => void;
}

/** The form for the strategy that a flag gets which is switched on without one. */
export function DefaultStrategyForm({ project, environment, onClose }: DefaultStrategyFormProps): JSX.Element {
  const { isBusy, problems, send } = useSending();
  const [draft, setDraft] = useState(() => toStrategyDraft(environment.defaultStrategy));

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const body = buildDefaultStrategy(environment.defaultStrategy, draft);
    const isSaved = await send(async () => {
      await addDefaultStrategyToProjectEnvironment({ projectId: project, environment: environment.name }, { body });
      await Promise.all([
        reload(getProjectEnvironments({ projectId: project })),
        reload(getProjectOverview({ projectId: project })),
      ]);
    });
    if (!isSaved) return;
    showMessage(`${environment.name}: ${describeDefaultStrategy(body)}`);
    onClose();
  }

  return (
    <form class="form" aria-label={`Default strategy in ${environment.name}`} onSubmit={save}>
      <div class="form-pair">
        <TextField
          label="Share of users in per cent"
          type="number"
          min={0}
          max={100}
          required
          value={draft.rollout}
          onInput={(value) => setDraft({ ...draft, rollout: Number(value) })}
        />
        <StickinessField value={draft.stickiness} onChoose={(stickiness) => setDraft({ ...draft, stickiness })} />
      </div>
      <p class="section-note">Flags that have strategies do not change.</p>
      <FormFoot verb="Save" problems={problems} isBusy={isBusy} cancel={onClose} />
    </form>
  );
}
