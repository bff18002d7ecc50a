import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Pat } from '../../people/user-schema.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Icon } from '../parts/icon.tsx';
import { Ago, Tag } from '../parts/small.tsx';
import { Table } from '../parts/table.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { isExpired, isForever } from './describe-token.ts';

interface PersonalTokensProps {
  readonly pats: readonly Pat[];
  readonly remove: (id: number) => Promise<unknown>;
}

/** The tokens of a person or a service account. Their uses are not recorded. */
export function PersonalTokens({ pats, remove }: PersonalTokensProps): JSX.Element {
  const [removed, setRemoved] = useState<Pat>();
  return (
    <div class="card table-card">
      <Table columns={['Token', 'Made', 'Expires']} acts="Remove">
        {pats.map((pat) => {
          return (
            <tr key={pat.id}>
              <th scope="row">
                {pat.description} {pat.scope === 'propose' && <Tag>Only proposes</Tag>}
              </th>
              <td data-label="Made">
                <Ago time={pat.createdAt} />
              </td>
              <td data-label="Expires">
                {isForever(pat.expiresAt) && 'Never'}
                {!isForever(pat.expiresAt) &&
                  (isExpired(pat) ? <Tag tone="bad">Expired</Tag> : <Ago time={pat.expiresAt} />)}
              </td>
              <td class="actions">
                <Button kind="quiet" aria-label={`Remove ${pat.description}`} onClick={() => setRemoved(pat)}>
                  <Icon name="trash" />
                </Button>
              </td>
            </tr>
          );
        })}
      </Table>
      {removed !== undefined && (
        <Confirm
          isDanger
          title={`Remove the token ${removed.description}?`}
          verb="Remove the token"
          act={async () => {
            await remove(removed.id);
            showMessage(`${removed.description} is removed`);
          }}
          onClose={() => setRemoved(undefined)}
        >
          Programs that use it are refused within seconds.
        </Confirm>
      )}
    </div>
  );
}
