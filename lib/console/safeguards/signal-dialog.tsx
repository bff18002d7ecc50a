import './safeguards.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { addressOfSignal, createSafeguardSignalToken } from '../calls/safeguards.ts';
import { useSending } from '../data/use-sending.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { CopyButton } from '../parts/forms/copy-button.tsx';
import type { SafeguardPlace } from './safeguard-changes.ts';

interface SignalDialogProps extends SafeguardPlace {
  /** The id of the safeguard. */
  readonly id: string;
  readonly onClose: () => void;
}

/** Creates the token for signals to a safeguard, and shows it once with the way to use it. */
export function SignalDialog({ flag, environment, id, onClose }: SignalDialogProps): JSX.Element {
  const [token, setToken] = useState<string>();
  const { isBusy, problems, send } = useSending();
  const { project, name: featureName } = flag.feature;
  const values = { projectId: project, featureName, environment: environment.name, id };
  const address = `${location.origin}${addressOfSignal({ id })}`;
  return (
    <FormDialog
      kind="wide"
      title="Token for signals to the safeguard"
      verb={token === undefined ? 'Create the token' : undefined}
      cancel={token === undefined ? 'Cancel' : 'I have stored it'}
      isBusy={isBusy}
      problems={problems}
      onSubmit={() => void send(async () => setToken((await createSafeguardSignalToken(values)).body.token))}
      onClose={onClose}
    >
      {token === undefined ? (
        <p>It can signal a fault to this safeguard, and do nothing else. An earlier token of it becomes invalid.</p>
      ) : (
        <div class="signal-token">
          <p>It is shown only now. Store it in a safe place.</p>
          <output class="mono">{token}</output>
          <CopyButton text={token} label="Copy the token" />
          <p>This signals a fault. Alertmanager and Grafana can send their own bodies to the same address.</p>
          <pre>
            {`curl -X POST '${address}' \\\n  -H "authorization: Bearer $TOKEN" \\\n  -H 'content-type: application/json' \\\n  -d '{"reason":"The smoke test failed"}'`}
          </pre>
        </div>
      )}
    </FormDialog>
  );
}
