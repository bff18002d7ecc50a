import './first-use.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { getProjectApplications } from '../calls/applications.ts';
import { useRead } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { listAskedFields } from '../preview/asked-fields.ts';
import { sortSdks } from '../words/sdk-code.ts';

interface FirstUseProps {
  readonly flag: ConsoleFlag;
}

/** The lines of code by which an application asks for a flag; the SDKs that the project uses come first. */
export function FirstUse({ flag }: FirstUseProps): JSX.Element {
  const { value: used } = useRead(getProjectApplications({ projectId: flag.feature.project }), 60_000);
  const sdks = useMemo(
    () => sortSdks((used?.applications ?? []).flatMap((application) => application.sdks.map(({ name }) => name))),
    [used],
  );
  const [chosen, setChosen] = useState<string>();
  const sdk = sdks.find(({ name }) => name === chosen) ?? sdks[0];
  const code = sdk?.write(flag.feature.name, location.origin, listAskedFields(flag)) ?? '';
  return (
    <div class="first-use">
      <p>No application has asked yet. Ask for it in yours, with one of your tokens:</p>
      <div class="first-use-choice">
        <select
          class="input"
          aria-label="SDK"
          value={sdk?.name}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {sdks.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <Button
          icon="copy"
          onClick={() => navigator.clipboard.writeText(code).then(() => showMessage('Copied the code'))}
        >
          Copy
        </Button>
      </div>
      {sdk?.install !== undefined && (
        <p>
          Install it: <code>{sdk.install}</code>
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: one scrolls in it by keys */}
      <pre tabIndex={0}>{code}</pre>
    </div>
  );
}
