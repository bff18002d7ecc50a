import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ConsoleRequestPage } from '../../screens/request-schema.ts';
import { type AdvancedPlayground, getChangeRequestPlayground } from '../calls/requests.ts';
import type { Refusal } from '../data/client.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FieldProblem } from '../parts/field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Tag } from '../parts/small.tsx';
import { conditionsIn } from './asked-fields.ts';

/** Fields of a context that every strategy may ask about. */
const usual = ['userId'];

/** Evaluates the flags of a request for a user, as if it were applied. */
export function TryDialog({
  page,
  onClose,
}: {
  readonly page: ConsoleRequestPage;
  readonly onClose: () => void;
}): JSX.Element {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [result, setResult] = useState<AdvancedPlayground>();
  const fields = useMemo(() => [...new Set([...usual, ...conditionsIn(page)])], [page]);

  async function ask(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    const given = Object.entries(typed).filter(([, value]) => value !== '');
    const context = { appName: 'console', ...Object.fromEntries(given) };
    try {
      const { body } = await getChangeRequestPlayground({ id: page.request.id }, { body: { context } });
      setResult(body);
    } catch (error) {
      setProblem((error as Refusal).message);
    }
    setBusy(false);
  }

  return (
    <Dialog
      kind="wide"
      title="What would a user get?"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button kind="solid" type="submit" form="try" isBusy={isBusy}>
            Try it
          </Button>
        </>
      }
    >
      <p>As if this request were applied. Nothing is applied.</p>
      <form id="try" class="try-fields" onSubmit={ask}>
        {fields.map((field) => (
          <TextField
            key={field}
            label={field}
            spellcheck={false}
            value={typed[field] ?? ''}
            onInput={(value) => setTyped({ ...typed, [field]: value })}
          />
        ))}
      </form>
      {problem !== undefined && <FieldProblem text={problem} />}
      <ul class="try-results" aria-live="polite">
        {result?.features.flatMap(({ name, environments }) =>
          Object.values(environments)
            .flat()
            .map(({ isEnabled, variant, environment, context }, index) => (
              <li key={`${name} ${environment} ${index}`}>
                <span class="mono grow">{name}</span>
                {result.features.length > 0 && context.userId !== undefined && (
                  <span class="muted">{context.userId}</span>
                )}
                {variant.enabled && <span>{variant.name}</span>}
                <Tag tone={isEnabled ? 'on' : undefined}>{isEnabled ? 'On' : 'Off'}</Tag>
              </li>
            )),
        )}
      </ul>
    </Dialog>
  );
}
