import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getUiConfig, setCors } from '../calls/settings.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { TextArea } from '../parts/forms/text-field.tsx';
import { Banner, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { splitLines } from '../words/split-lines.ts';

/** The pages whose scripts may evaluate flags by a frontend token. */
export function OriginsSettings(): JSX.Element {
  const path = getUiConfig({});
  const { value, problem } = useRead(path, 60_000);
  return (
    <section class="section card form-card" aria-labelledby="origins">
      <h2 id="origins">Pages that may use the frontend API</h2>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={3} />}
      {value !== undefined && <OriginsForm key={value.frontendApiOrigins.join()} origins={value.frontendApiOrigins} />}
    </section>
  );
}

function OriginsForm({ origins }: { readonly origins: readonly string[] }): JSX.Element {
  const [text, setText] = useState(origins.join('\n'));
  const { isBusy, problems, send } = useSending();
  const wanted = splitLines(text);

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    await send(async () => {
      await setCors({}, { body: { frontendApiOrigins: wanted } });
      showMessage('Saved. It takes effect within 5 seconds.');
      await reload(getUiConfig({}));
    });
  }

  return (
    <form class="form" onSubmit={save}>
      <TextArea
        label="Origins, one a line"
        hint="Such as https://shop.example.com or https://*.example.com. A * alone allows every page; none allows no page."
        isCode
        rows={Math.min(10, Math.max(3, wanted.length + 1))}
        value={text}
        onInput={setText}
      />
      {wanted.length === 0 && (
        <Banner tone="warn" icon="triangle-alert" title="No page may ask then: web SDKs get no flags" />
      )}
      <FormFoot
        verb="Save"
        problems={problems}
        isBusy={isBusy}
        isDisabled={wanted.join() === origins.join()}
        kind="plain"
      />
    </form>
  );
}
