import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NewPat } from '../calls/tokens.ts';
import { useSending } from '../data/use-sending.ts';
import { Check } from '../parts/forms/checks.tsx';
import { daysFromNow, ExpiryField } from '../parts/forms/expiry-field.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { TextField } from '../parts/forms/text-field.tsx';

/** The time by which the API writes that a token does not expire. */
const never = '9999-12-31T23:59:59.999Z';

/** Days in which a token expires unless somebody chooses otherwise. */
const days = 90;

interface NewPersonalTokenProps {
  readonly hint: string;
  readonly create: (body: NewPat) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The form for a token of a person or a service account. */
export function NewPersonalToken({ hint, create, onClose }: NewPersonalTokenProps): JSX.Element {
  const { isBusy, problems, send } = useSending();
  const [description, setDescription] = useState('');
  const [expiresAt, setExpiry] = useState<string | null | undefined>(() => daysFromNow(days));
  const [isAgent, setAgent] = useState(false);
  const isComplete = description.trim() !== '' && expiresAt !== undefined;
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (!isComplete) return;
    const body = { description: description.trim(), expiresAt: expiresAt ?? never };
    await send(() => create(isAgent ? { ...body, scope: 'propose' } : body));
  }
  return (
    <form class="card form form-card" aria-label="New token" onSubmit={submit}>
      <TextField
        label="What is it for?"
        hint={hint}
        maxLength={255}
        required
        value={description}
        onInput={setDescription}
      />
      <Check
        label="It may only propose changes"
        hint="For an agent, such as a coding assistant. It reads what this token's owner may read, and asks for changes by change requests, which people approve and apply. It can change nothing by itself."
        isChecked={isAgent}
        onCheck={setAgent}
      />
      <ExpiryField days={days} onChange={setExpiry} />
      <FormFoot verb="Create the token" problems={problems} isBusy={isBusy} isDisabled={!isComplete} cancel={onClose} />
    </form>
  );
}
