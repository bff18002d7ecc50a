import type { JSX } from 'preact';
import type { ApiToken } from '../../tokens/api-token-schema.ts';
import { getApplications } from '../calls/applications.ts';
import { deleteApiToken, deleteProjectApiToken } from '../calls/tokens.ts';
import { useRead } from '../data/cache.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Ago } from '../parts/small.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { isUseRecorded, listLikelyUsers } from './describe-token.ts';

interface RemoveTokenDialogProps {
  readonly token: ApiToken;
  readonly project: string | undefined;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Asks before a token is removed, and names the applications that may use it. */
export function RemoveTokenDialog({ token, project, onRemoved, onClose }: RemoveTokenDialogProps): JSX.Element {
  const { value } = useRead(getApplications({}, { limit: 200, sortBy: 'lastSeen', sortOrder: 'desc' }), 60_000);
  const { tokenName, seenAt, environment } = token;
  const likely = isUseRecorded(token) ? listLikelyUsers(token, value?.applications ?? []) : [];
  async function remove(): Promise<void> {
    if (project === undefined) await deleteApiToken({ token: token.secret });
    else await deleteProjectApiToken({ projectId: project, token: token.secret });
    showMessage(`${tokenName} is removed`);
    onRemoved();
  }
  return (
    <Confirm isDanger title={`Remove the token ${tokenName}?`} verb="Remove the token" act={remove} onClose={onClose}>
      {isUseRecorded(token) ? (
        <p>
          {seenAt === null ? (
            'No SDK has used it.'
          ) : (
            <>
              An SDK used it <b>{<Ago time={seenAt} />}</b>.
            </>
          )}{' '}
          Applications that use it get no more answers within seconds, and go on with the flags that they have.
        </p>
      ) : (
        <p>Programs that use it are refused within seconds. Whether one does is not recorded.</p>
      )}
      {likely.length > 0 && (
        <p>
          Seen in {environment === '*' ? 'all environments' : environment} in the last 24 h, and perhaps with this
          token: <b>{likely.slice(0, 8).join(', ')}</b>
          {likely.length > 8 && ` and ${likely.length - 8} more`}.
        </p>
      )}
    </Confirm>
  );
}
