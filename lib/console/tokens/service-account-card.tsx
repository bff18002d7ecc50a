import './service-account-card.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Role } from '../../people/roles/role-schema.ts';
import type { ShownServiceAccount } from '../../people/service-account-schema.ts';
import { createServiceAccountToken, deleteServiceAccount, deleteServiceAccountToken } from '../calls/tokens.ts';
import { reload } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { NewSecret } from '../parts/forms/new-secret.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { countOf } from '../words/numbers.ts';
import { NewPersonalToken } from './new-personal-token.tsx';
import { PersonalTokens } from './personal-tokens.tsx';
import { ServiceAccountForm } from './service-account-form.tsx';

interface ServiceAccountCardProps {
  readonly account: ShownServiceAccount;
  readonly roles: readonly Role[];
  readonly path: string;
}

/** A service account with its tokens. */
export function ServiceAccountCard({ account, roles, path }: ServiceAccountCardProps): JSX.Element {
  const [step, setStep] = useState<'token' | 'edit' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  const { id, name, username, rootRole, tokens } = account;
  const close = () => setStep(undefined);
  return (
    <section class="service-account" aria-label={name}>
      <header>
        <Icon name="bot" size={18} />
        <div class="grow">
          <h2>{name}</h2>
          <p>
            <span class="mono">{username}</span> · {roles.find((role) => role.id === rootRole)?.name}
          </p>
        </div>
        <Button icon="plus" onClick={() => setStep('token')}>
          New token
        </Button>
        <Menu
          label={`More about ${name}`}
          items={[
            { label: 'Edit', icon: 'pencil', onChoose: () => setStep('edit') },
            { label: 'Delete', icon: 'trash', isDanger: true, onChoose: () => setStep('delete') },
          ]}
        />
      </header>
      {secret !== undefined && (
        <NewSecret title={`Token of ${name}`} thing="token" secret={secret} onClose={() => setSecret(undefined)} />
      )}
      {step === 'token' && (
        <NewPersonalToken
          hint="The place where it is stored, such as deploy-pipeline."
          create={async (body) => {
            setSecret((await createServiceAccountToken({ id }, { body })).body.secret);
            close();
            await reload(path);
          }}
          onClose={close}
        />
      )}
      {step === 'edit' && <ServiceAccountForm account={account} roles={roles} path={path} onClose={close} />}
      {tokens.length === 0 && step !== 'token' && <p class="section-note">It has no token, so it can do nothing.</p>}
      {tokens.length > 0 && (
        <PersonalTokens
          pats={tokens}
          remove={async (tokenId) => {
            await deleteServiceAccountToken({ id, tokenId });
            await reload(path);
          }}
        />
      )}
      {step === 'delete' && (
        <Confirm
          isDanger
          title={`Delete the service account ${name}?`}
          verb="Delete the account"
          act={async () => {
            await deleteServiceAccount({ id });
            showMessage(`${name} is deleted`);
            await reload(path);
          }}
          onClose={close}
        >
          Its {countOf(tokens.length, 'token')} stop to work within seconds. The log keeps its name.
        </Confirm>
      )}
    </section>
  );
}
