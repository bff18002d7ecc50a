import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SamlSettings, ShownSamlSettings } from '../../sign-in/sso/saml-settings-schema.ts';
import { getSamlSettings, setSamlSettings } from '../calls/sign-in.ts';
import { peek, reload, useRead } from '../data/cache.ts';
import { useSending } from '../data/use-sending.ts';
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
  const [version, setVersion] = useState(() => peek(path).etag);
  const sending = useSending();
  const [draft, setDraft] = useState(settings);
  const set = (change: Partial<SamlSettings>) => setDraft({ ...draft, ...change });

  async function save(): Promise<void> {
    const { entityId = '', signOnUrl = '', certificate = '' } = draft;
    const isSaved = await sending.send(async () => {
      const body = { ...withoutEmpty(draft), entityId, signOnUrl, certificate };
      await setSamlSettings({}, { body, ifMatch: version });
      await reload(path);
    });
    if (!isSaved) return;
    setVersion(peek(path).etag);
    showMessage('The settings of SAML are saved');
  }

  return (
    <SsoForm
      name="SAML"
      isEnabled={draft.enabled ?? false}
      onEnable={(enabled) => set({ enabled })}
      sending={sending}
      onSave={save}
    >
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
