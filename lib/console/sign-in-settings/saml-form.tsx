import type { JSX } from 'preact';
import type { ShownSamlSettings } from '../../sign-in/sso/saml-settings-schema.ts';
import { getSamlSettings, setSamlSettings } from '../calls/sign-in.ts';
import { peek, reload, useRead } from '../data/cache.ts';
import { loadVersioned } from '../data/load-versioned.ts';
import { useEdits } from '../parts/edits/use-edits.tsx';
import { Check } from '../parts/forms/checks.tsx';
import { TextArea, TextField } from '../parts/forms/text-field.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { SharedFields, withoutEmpty } from './shared-fields.tsx';
import { SsoForm } from './sso-form.tsx';

/** The settings of SAML. */
export function SamlForm(): JSX.Element {
  const path = getSamlSettings({});
  const { value, problem } = useRead(path, 600_000);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(path)} />;
  if (value === undefined) return <Skeleton rows={6} />;
  return <Fields settings={value} />;
}

function Fields({ settings }: { readonly settings: ShownSamlSettings }): JSX.Element {
  const path = getSamlSettings({});
  const edits = useEdits({
    key: 'draft saml',
    original: { value: settings, etag: peek(path).etag },
    send: (edited, { etag }) => {
      const { entityId = '', signOnUrl = '', certificate = '' } = edited;
      return setSamlSettings(
        {},
        { body: { ...withoutEmpty(edited), entityId, signOnUrl, certificate }, ifMatch: etag },
      );
    },
    load: () => loadVersioned(path, (value) => value),
    onSaved: () => showMessage('The settings of SAML are saved'),
  });
  const { draft, set } = edits;
  return (
    <SsoForm name="SAML" edits={edits}>
      <Check
        label="People can sign in with SAML"
        isChecked={draft.enabled ?? false}
        onCheck={(enabled) => set({ enabled })}
      />
      <p class="section-note">
        The identity provider needs the <a href="/auth/saml/metadata">metadata of this service</a>. It posts to{' '}
        <code>{`${location.origin}/auth/saml/callback`}</code>.
      </p>
      <TextField
        label="Entity id of the identity provider"
        required
        value={draft.entityId}
        onInput={(entityId) => set({ entityId })}
      />
      <TextField
        label="Address to sign in"
        required
        placeholder="https://"
        value={draft.signOnUrl}
        onInput={(signOnUrl) => set({ signOnUrl })}
      />
      <TextField
        label="Address to sign out"
        hint="Empty if signing out here does not sign out there."
        placeholder="https://"
        value={draft.signOutUrl}
        onInput={(signOutUrl) => set({ signOutUrl })}
      />
      <TextArea
        label="Certificate of the identity provider"
        hint="X.509, as PEM or without its first and last line."
        isCode
        rows={5}
        required
        value={draft.certificate ?? ''}
        onInput={(certificate) => set({ certificate })}
      />
      <SharedFields draft={draft} onChange={set} />
    </SsoForm>
  );
}
