import './integrations.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownAddon } from '../../integrations/addon-schema.ts';
import { go } from '../browser/router.ts';
import { deleteAddon, getAddon, getAddons, sendIntegrationEvents, updateAddon } from '../calls/integrations.ts';
import { reload, useRead } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { Heading } from '../parts/heading.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { Deliveries } from './deliveries.tsx';
import { maskedSecret, toForm, toInput } from './integration-form.ts';

const providersEveryMs = 60_000;

/** The page of an integration: what it sends where, and each delivery. */
export function IntegrationPage({ id }: { readonly id: string }): JSX.Element {
  const path = getAddon({ id });
  const { value: addon, problem } = useRead(path);
  const { value: all } = useRead(getAddons({}), providersEveryMs);
  const provider = all?.providers.find(({ name }) => name === addon?.provider);
  const title = addon?.description || provider?.displayName || addon?.provider || 'Integration';
  return (
    <main class="page">
      <Crumbs trail={[['Integrations', '/integrations']]} />
      <div class="page-head">
        <div class="grow">
          <Heading title={title} />
          {addon !== undefined && <p class="muted">{provider?.displayName ?? addon.provider}</p>}
        </div>
        {addon !== undefined && <Actions addon={addon} title={title} />}
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {addon === undefined && problem === undefined && <Skeleton rows={6} />}
      {addon !== undefined && (
        <>
          <section class="card integration-facts" aria-label="Settings">
            <dl>
              {provider?.parameters.flatMap(({ name, displayName }) => {
                const value = addon.parameters[name];
                if (value === undefined || value === '') return [];
                return [
                  <div key={name}>
                    <dt>{displayName}</dt>
                    <dd class="mono">{value === maskedSecret ? 'stored, not shown' : String(value)}</dd>
                  </div>,
                ];
              })}
              <div>
                <dt>Sends</dt>
                <dd>
                  {addon.events.length} of {provider?.events.length ?? addon.events.length} kinds of events
                </dd>
              </div>
              <div>
                <dt>Projects</dt>
                <dd>{listOrAll(addon.projects)}</dd>
              </div>
              <div>
                <dt>Environments</dt>
                <dd>{listOrAll(addon.environments)}</dd>
              </div>
            </dl>
          </section>
          <Deliveries id={addon.id} isEnabled={addon.enabled} />
        </>
      )}
    </main>
  );
}

function listOrAll(names: readonly string[]): string {
  return names.length === 0 || names[0] === '*' ? 'all' : names.join(', ');
}

function Actions({ addon, title }: { readonly addon: ShownAddon; readonly title: string }): JSX.Element {
  const { value: start } = useStart();
  const [isRemoving, setRemoving] = useState(false);
  const { id, enabled } = addon;
  const reason = mayIn(start, 'UPDATE_ADDON') ? undefined : 'Needs the permission to change integrations.';

  async function test(): Promise<void> {
    await attempt(async () => {
      await sendIntegrationEvents({ id }, { body: {} });
      showMessage('A test is on its way. It appears below within some seconds.');
    });
  }

  async function turn(isOn: boolean): Promise<void> {
    await attempt(() => updateAddon({ id }, { body: { ...toInput(toForm(addon)), enabled: isOn } }));
    await Promise.all([reload(getAddon({ id })), reload(getAddons({}))]);
  }

  async function remove(): Promise<void> {
    await deleteAddon({ id });
    showMessage(`${title} is removed`);
    await reload(getAddons({}));
    go('/integrations');
  }

  return (
    <div class="page-actions">
      <Switch isOn={enabled} label={title} reason={reason} onSwitch={turn} />
      <Button icon="send" reason={reason ?? (enabled ? undefined : 'Switch it on first.')} onClick={test}>
        Send a test
      </Button>
      {reason === undefined && (
        <ButtonLink href={`/integrations/edit/${id}`} icon="pencil">
          Edit
        </ButtonLink>
      )}
      <Button
        kind="quiet"
        icon="trash"
        reason={mayIn(start, 'DELETE_ADDON') ? undefined : 'Needs the permission to delete integrations.'}
        onClick={() => setRemoving(true)}
      >
        Remove
      </Button>
      {isRemoving && (
        <Confirm title={`Remove ${title}?`} verb="Remove" isDanger act={remove} onClose={() => setRemoving(false)}>
          <p>It sends nothing more, and its secrets and deliveries are lost. To pause it, switch it off.</p>
        </Confirm>
      )}
    </div>
  );
}
