import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiToken } from '../../tokens/api-token-schema.ts';
import { updateApiToken } from '../calls/tokens.ts';
import { Confirm } from '../parts/confirm.tsx';
import { daysFromNow, ExpiryField } from '../parts/forms/expiry-field.tsx';
import { showMessage } from '../parts/toasts.tsx';

/** Days that are offered first. */
const days = 90;

interface ExpiryDialogProps {
  readonly token: ApiToken;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Changes the time at which a token stops to work; one that has expired works again. */
export function ExpiryDialog({ token, onChanged, onClose }: ExpiryDialogProps): JSX.Element {
  const { tokenName, secret } = token;
  const [expiresAt, setExpiry] = useState<string | null | undefined>(() => daysFromNow(days));
  return (
    <Confirm
      title={`When does ${tokenName} expire?`}
      verb="Change the expiry"
      reason={expiresAt === undefined ? 'Choose a date' : undefined}
      act={async () => {
        await updateApiToken({ token: secret }, { body: { expiresAt: expiresAt ?? null } });
        showMessage(`The expiry of ${tokenName} is changed`);
        onChanged();
      }}
      onClose={onClose}
    >
      <ExpiryField days={days} onChange={setExpiry} />
    </Confirm>
  );
}
