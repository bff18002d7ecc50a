import type { JSX } from 'preact';
import type { ShownOidcSettings } from '../../sign-in/sso/oidc-settings-schema.ts';
import { getOidcSettings, setOidcSettings } from '../calls/sign-in.ts';
import { peek, reload, useRead } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { SelectField } from '../parts/forms/select-field.tsx';
import { TextField } from '../parts/forms/text-field.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { SharedFields, withoutEmpty } from './shared-fields.tsx';
import { SsoForm } from './sso-form.tsx';

/** The settings of OpenID Connect. */
export function OidcForm(): JSX.Element {
  const path = getOidcSettings({});
  const { value, problem } = useRead(path, 600_000);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(path)} />;
  if (value === undefined) return <Skeleton rows={6} />;
  return <Fields settings={value} />;
}

const algorithms = ['RS256', 'RS384', 'RS512'] as const;

/** The secret is not shown; an empty field keeps it. */
const toEdits = (settings: ShownOidcSettings): ShownOidcSettings => ({ ...settings, secret: '' });

function Fields({ settings }: { readonly settings: ShownOidcSettings }): JSX.Element {
  const path = getOidcSettings({});
  // Nothing keeps these edits: they may have a secret.
  const edits = useEdits({
    original: { value: toEdits(settings), etag: peek(path).etag },
    send: (edited, { etag }) => {
      const { clientId = '', secret } = edited;
      const body = { ...withoutEmpty(edited), clientId, secret: secret || settings.secret || '' };
      return setOidcSettings({}, { body, ifMatch: etag });
    },
    load: () => loadVersioned(path, toEdits),
    onSaved: () => showMessage('The settings of OpenID Connect are saved'),
  });
  const { draft, set } = edits;
  return (
    <SsoForm name="OpenID Connect" edits={edits}>
      <Check
        label="People can sign in with OpenID Connect"
        isChecked={draft.enabled ?? false}
        onCheck={(enabled) => set({ enabled })}
      />
      <TextField
        label="Discovery URL"
        hint="It ends in /.well-known/openid-configuration at the identity provider."
        required
        placeholder="https://"
        value={draft.discoverUrl}
        onInput={(discoverUrl) => set({ discoverUrl })}
      />
      <p class="section-note">
        The identity provider sends people back to <code>{`${location.origin}/auth/oidc/callback`}</code>.
      </p>
      <div class="form-pair">
        <TextField label="Client id" required value={draft.clientId} onInput={(clientId) => set({ clientId })} />
        <TextField
          label="Client secret"
          type="password"
          autocomplete="new-password"
          required={!settings.secret}
          placeholder={settings.secret ? 'As it is' : ''}
          value={draft.secret}
          onInput={(secret) => set({ secret })}
        />
      </div>
      <SharedFields draft={draft} onChange={set} />
      {draft.enableGroupSyncing && (
        <Check
          label="Ask for the scope groups"
          isChecked={draft.addGroupsScope ?? false}
          onCheck={(addGroupsScope) => set({ addGroupsScope })}
        />
      )}
      <Check
        label="Sign out of the identity provider too"
        isChecked={draft.enableSingleSignOut ?? false}
        onCheck={(enableSingleSignOut) => set({ enableSingleSignOut })}
      />
      <Check
        label="Prove each sign-in with PKCE"
        isChecked={draft.enablePkce ?? false}
        onCheck={(enablePkce) => set({ enablePkce })}
      />
      <div class="form-pair">
        <TextField
          label="ACR values"
          hint="How strictly the identity provider checks people. Empty for its own choice."
          value={draft.acrValues}
          onInput={(acrValues) => set({ acrValues })}
        />
        <SelectField
          label="Token signature"
          value={draft.idTokenSigningAlgorithm ?? 'RS256'}
          options={algorithms}
          onChoose={(idTokenSigningAlgorithm) => set({ idTokenSigningAlgorithm })}
        />
      </div>
    </SsoForm>
  );
}
