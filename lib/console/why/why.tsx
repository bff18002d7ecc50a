import './why.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import type { ExplainedFlag } from '../preview/explain-flag.ts';
import { OneUser } from './one-user.tsx';

interface WhyProps {
  readonly flag: ConsoleFlag;
  readonly onClose: () => void;
}

/** Answers "who gets it, and why?" for a user that one types in. */
export function Why({ flag, onClose }: WhyProps): JSX.Element {
  const { environments } = flag.feature;
  const [environment, setEnvironment] = useState(
    (environments.find(({ type }) => type === 'production') ?? environments[0])?.name ?? '',
  );
  return (
    <Dialog
      kind="wide"
      title="Who gets it, and why?"
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <OneUser flag={flag} environment={environment}>
        <SelectField
          label="Environment"
          value={environment}
          options={environments.map(({ name }) => name)}
          onChoose={setEnvironment}
        />
      </OneUser>
    </Dialog>
  );
}

interface UserOfDraftProps {
  /** The flag with the strategy that is being edited. */
  readonly draft: ExplainedFlag;
  /** The id of that strategy. */
  readonly edited: string;
  /** The flag as it is today. */
  readonly today: ExplainedFlag;
  readonly environment: string;
}

/** Answers for a user that one types in what an edited strategy would change for them. */
export function UserOfDraft({ draft, edited, today, environment }: UserOfDraftProps): JSX.Element {
  return (
    <section class="card effect-card" aria-labelledby="one-user">
      <h2 id="one-user">What would one user get?</h2>
      <OneUser flag={draft} environment={environment} edited={{ strategyId: edited, today }} />
    </section>
  );
}
