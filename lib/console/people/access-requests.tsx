import './access-requests.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Role } from '../../people/roles/role-schema.ts';
import { approveUserAccessRequest, getUserAccessRequests, rejectUserAccessRequest } from '../calls/people.ts';
import { reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
import { Button } from '../parts/button.tsx';
import { FormProblems } from '../parts/form-problems.tsx';
import { Ago } from '../parts/small.tsx';
import { showMessage } from '../parts/toasts.tsx';

interface AccessRequestsProps {
  readonly roles: readonly Role[];
  readonly onAnswered: () => void;
}

/** The people who have signed in with single sign-on and wait for an account. */
export function AccessRequests({ roles, onAnswered }: AccessRequestsProps): JSX.Element | null {
  const path = getUserAccessRequests({});
  const { value } = useRead(path, 30_000);
  const waiting = value?.userAccessRequests ?? [];
  if (waiting.length === 0) return null;
  return (
    <section class="card access-requests" aria-labelledby="waiting">
      <h2 id="waiting">Waiting for an account</h2>
      <ul>
        {waiting.map((request) => (
          <Row
            key={request.id}
            request={request}
            roles={roles}
            onAnswered={() => {
              void reload(path);
              onAnswered();
            }}
          />
        ))}
      </ul>
    </section>
  );
}

interface RowProps extends AccessRequestsProps {
  readonly request: { readonly id: number; readonly email: string; readonly requestedAt: string };
}

function Row({ request, roles, onAnswered }: RowProps): JSX.Element {
  const { id, email, requestedAt } = request;
  const { isBusy, problems, send } = useSending();
  const [rootRole, setRole] = useState(roles.find(({ name }) => name === 'Viewer')?.id ?? 0);
  async function answer(run: () => Promise<unknown>, done: string): Promise<void> {
    if (!(await send(run))) return;
    showMessage(done);
    onAnswered();
  }
  return (
    <li>
      <div class="grow">
        {email}
        <p>
          signed in <Ago time={requestedAt} />
        </p>
      </div>
      <select
        class="input choice"
        aria-label={`Role of ${email}`}
        value={rootRole}
        onChange={(event) => setRole(Number(event.currentTarget.value))}
      >
        {roles.map((role) => (
          <option key={role.id} value={role.id}>
            {role.name}
          </option>
        ))}
      </select>
      <Button
        isBusy={isBusy}
        aria-label={`Let ${email} in`}
        onClick={() =>
          answer(() => approveUserAccessRequest({ id }, { body: { rootRole } }), `${email} has an account`)
        }
      >
        Let in
      </Button>
      <Button
        kind="quiet"
        aria-label={`Turn ${email} away`}
        onClick={() => answer(() => rejectUserAccessRequest({ id }), `${email} is turned away`)}
      >
        Turn away
      </Button>
      <FormProblems problems={problems} />
    </li>
  );
}
