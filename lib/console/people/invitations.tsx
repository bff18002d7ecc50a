import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SignupToken } from '../../sign-in/sign-in-schema.ts';
import { createPublicSignupToken, getAllPublicSignupTokens, updatePublicSignupToken } from '../calls/people.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { attempt } from '../parts/attempt.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/forms/copy-button.tsx';
import { daysFromNow, ExpiryField } from '../parts/forms/expiry-field.tsx';
import { FormFoot } from '../parts/forms/form-foot.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Ago, Tag } from '../parts/small.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { Table } from '../parts/table.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { personNameOf } from '../words/people.ts';

/** The days after which a link expires, unless somebody chooses another time. */
const defaultDays = 7;

/** The invitation links. Anybody with such a link can create a Viewer account. */
export function Invitations(): JSX.Element {
  const path = getAllPublicSignupTokens({});
  const { value, problem } = useRead(path, 30_000);
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button icon="plus" onClick={() => setAdding(true)}>
      New link
    </Button>
  );
  return (
    <section class="section" aria-label="Invitation links">
      <div class="section-head">
        <p class="section-note">Anybody with a link can create a Viewer account until it expires.</p>
        {value !== undefined && value.tokens.length > 0 && !isAdding && add}
      </div>
      {isAdding && <NewInvitation path={path} onClose={() => setAdding(false)} />}
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={3} />}
      {value?.tokens.length === 0 && !isAdding && (
        <div class="card">
          <Empty icon="link" title="There is no invitation link" action={add}>
            One link invites a whole team; each person creates their own account.
          </Empty>
        </div>
      )}
      {value !== undefined && value.tokens.length > 0 && <InvitationTable tokens={value.tokens} path={path} />}
    </section>
  );
}

function NewInvitation({ path, onClose }: { readonly path: string; readonly onClose: () => void }): JSX.Element {
  const { isBusy, problems, send } = useSending();
  const [name, setName] = useState('');
  const [expiresAt, setExpiry] = useState<string | undefined>(() => daysFromNow(defaultDays));
  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (expiresAt === undefined) return;
    const isMade = await send(async () => {
      await createPublicSignupToken({}, { body: { name: name.trim(), expiresAt } });
      await reload(path);
    });
    if (isMade) onClose();
  }
  return (
    <form class="card form form-card" aria-label="New invitation link" onSubmit={create}>
      <TextField
        label="For whom?"
        hint="A name by which you find it again, such as Workshop in May."
        maxLength={255}
        required
        value={name}
        onInput={setName}
      />
      <ExpiryField days={defaultDays} hasNever={false} onChange={(time) => setExpiry(time ?? undefined)} />
      <FormFoot
        verb="Create the link"
        problems={problems}
        isBusy={isBusy}
        isDisabled={name.trim() === '' || expiresAt === undefined}
        cancel={onClose}
      />
    </form>
  );
}

interface InvitationTableProps {
  readonly tokens: readonly SignupToken[];
  readonly path: string;
}

function InvitationTable({ tokens, path }: InvitationTableProps): JSX.Element {
  async function setEnabled({ secret, name }: SignupToken, enabled: boolean): Promise<void> {
    await attempt(async () => {
      await updatePublicSignupToken({ token: secret }, { body: { enabled } });
      showMessage(enabled ? `${name} lets people in again` : `${name} lets nobody in any more`);
    });
    await reload(path);
  }
  return (
    <div class="card table-card">
      <Table columns={['Link', 'Expires', 'Signed up with it', 'Lets people in']} acts="Copy">
        {tokens.map((token) => {
          const { secret, name, createdBy, createdAt, expiresAt, users, enabled, url } = token;
          const isOver = new Date(expiresAt).getTime() <= Date.now();
          return (
            <tr key={secret}>
              <th scope="row">
                {name}
                <p>
                  {createdBy}, <Ago time={createdAt} />
                </p>
              </th>
              <td data-label="Expires">
                {isOver ? (
                  <span>
                    <Tag>Expired</Tag>
                  </span>
                ) : (
                  <Ago time={expiresAt} />
                )}
              </td>
              <td data-label="Signed up">{users.map(personNameOf).join(', ') || 'Nobody yet'}</td>
              <td data-label="Lets people in">
                {!isOver && (
                  <Switch
                    isOn={enabled}
                    label={`${name} lets people in`}
                    onSwitch={(isOn) => setEnabled(token, isOn)}
                  />
                )}
              </td>
              <td class="actions">{!isOver && enabled && <CopyButton text={url} label="Copy the link" />}</td>
            </tr>
          );
        })}
      </Table>
    </div>
  );
}
