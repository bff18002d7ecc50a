import '../parts/forms/form.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getServiceAccounts } from '../calls/tokens.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { ServiceAccountCard } from './service-account-card.tsx';
import { ServiceAccountForm } from './service-account-form.tsx';

/** The accounts of programs that administer flags, with their tokens. */
export function ServiceAccounts(): JSX.Element {
  const path = getServiceAccounts({});
  const { value, problem } = useRead(path, 30_000);
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button icon="plus" onClick={() => setAdding(true)}>
      New service account
    </Button>
  );
  return (
    <section class="section" aria-label="Service accounts">
      <div class="section-head">
        <p class="section-note">
          For programs that administer flags. They have roles as people have, and cannot sign in.
        </p>
        {value !== undefined && value.serviceAccounts.length > 0 && !isAdding && add}
      </div>
      {isAdding && value !== undefined && (
        <ServiceAccountForm roles={value.rootRoles} path={path} onClose={() => setAdding(false)} />
      )}
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={4} />}
      {value?.serviceAccounts.length === 0 && !isAdding && (
        <div class="card">
          <Empty icon="bot" title="There is no service account" action={add}>
            A pipeline that changes flags gets one, so that its changes are not in a person's name.
          </Empty>
        </div>
      )}
      {value?.serviceAccounts.map((account) => (
        <ServiceAccountCard key={account.id} account={account} roles={value.rootRoles} path={path} />
      ))}
    </section>
  );
}
