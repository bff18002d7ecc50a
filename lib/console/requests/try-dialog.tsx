import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ConsoleRequestPage } from '../../screens/request-schema.ts';
import { type AdvancedPlayground, getChangeRequestPlayground } from '../calls/one-request.ts';
import { useSending } from '../data/use-sending.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Tag } from '../parts/small.tsx';
import { listRequestFields } from './asked-fields.ts';

/** The context fields that are always offered. */
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
  const { isBusy, problems, send } = useSending();
  const [result, setResult] = useState<AdvancedPlayground>();
  const fields = useMemo(() => [...new Set([...usual, ...listRequestFields(page)])], [page]);

  async function ask(): Promise<void> {
    const given = Object.entries(typed).filter(([, value]) => value !== '');
    const context = { appName: 'console', ...Object.fromEntries(given) };
    await send(async () => {
      const { body } = await getChangeRequestPlayground({ id: page.request.id }, { body: { context } });
      setResult(body);
    });
  }

  return (
    <FormDialog
      kind="wide"
      title="What would a user get?"
      verb="Try it"
      cancel="Close"
      isBusy={isBusy}
      problems={problems}
      onSubmit={ask}
      onClose={onClose}
    >
      <p>As if this request were applied. Nothing is applied.</p>
      <div class="try-fields">
        {fields.map((field) => (
          <TextField
            key={field}
            label={field}
            spellcheck={false}
            value={typed[field] ?? ''}
            onInput={(value) => setTyped({ ...typed, [field]: value })}
          />
        ))}
      </div>
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
    </FormDialog>
  );
}
