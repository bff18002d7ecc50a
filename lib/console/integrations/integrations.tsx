import './integrations.css';
import type { JSX } from 'preact';
import type { AddonProvider, ShownAddon } from '../../integrations/addon-schema.ts';
import { getAddons, updateAddon } from '../calls/integrations.ts';
import { reload, useRead } from '../data/cache.ts';
import { attempt } from '../parts/attempt.ts';
import { ButtonLink } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { Tag } from '../parts/small.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { Switch } from '../parts/switch.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { toForm, toInput } from './integration-form.ts';

const path = getAddons({});

/** The integrations, and the services that events can be sent to. */
export function IntegrationsPage(): JSX.Element {
  const { value, problem } = useRead(path);
  const { value: start } = useStart();
  const mayCreate = mayIn(start, 'CREATE_ADDON');
  return (
    <main class="page">
      <div class="page-head">
        <div class="grow">
          <Heading title="Integrations" />
          <p class="page-about">They send what happens here to chats, monitoring and addresses of your own.</p>
        </div>
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={6} />}
      {value !== undefined && (
        <>
          <section class="card" aria-label="Your integrations">
            {value.addons.length === 0 ? (
              <Empty icon="send" title="Nothing is sent anywhere">
                Choose a service below to tell it what happens to flags.
              </Empty>
            ) : (
              <ul>
                {value.addons.map((addon) => (
                  <Row
                    key={addon.id}
                    addon={addon}
                    provider={value.providers.find(({ name }) => name === addon.provider)}
                    reason={mayIn(start, 'UPDATE_ADDON') ? undefined : 'Needs the permission to change integrations.'}
                  />
                ))}
              </ul>
            )}
          </section>
          <h2 class="integrations-new">Add one</h2>
          {!mayCreate && <p class="muted">Adding one needs the permission to create integrations.</p>}
          <ul class="providers">
            {value.providers
              .filter(({ deprecated }) => deprecated === undefined)
              .map(({ name, displayName, description }) => (
                <li key={name} class="card provider">
                  <h3>{displayName}</h3>
                  <p class="muted">{description.replace(/^Will /, '').replace(/^./, (first) => first.toUpperCase())}</p>
                  {mayCreate && (
                    <ButtonLink href={`/integrations/create/${name}`} icon="plus">
                      Add<span class="hidden"> {displayName}</span>
                    </ButtonLink>
                  )}
                </li>
              ))}
          </ul>
        </>
      )}
    </main>
  );
}

interface RowProps {
  readonly addon: ShownAddon;
  readonly provider: AddonProvider | undefined;
  readonly reason: string | undefined;
}

function Row({ addon, provider, reason }: RowProps): JSX.Element {
  const { id, description, events, projects, environments, enabled } = addon;
  const name = provider?.displayName ?? addon.provider;
  const title = description === null || description === '' ? name : description;
  const facts = [
    ...(title === name ? [] : [name]),
    countOf(events.length, 'kind of event', 'kinds of events'),
    projects.length === 0 || projects[0] === '*' ? 'all projects' : projects.join(', '),
    ...(environments.length === 0 || environments[0] === '*' ? [] : [environments.join(', ')]),
  ];
  async function turn(isOn: boolean): Promise<void> {
    await attempt(async () => {
      await updateAddon({ id }, { body: { ...toInput(toForm(addon)), enabled: isOn } });
      showMessage(isOn ? `${title} sends from now on` : `${title} sends nothing`, { undo: () => void turn(!isOn) });
    });
    await reload(path);
  }
  return (
    <li class="integration">
      <Icon name="send" />
      <div class="grow">
        <a class="cover" href={`/integrations/${id}`}>
          {title}
        </a>
        {provider?.deprecated !== undefined && <Tag tone="warn">Deprecated</Tag>}
        <p class="muted">{facts.join(' · ')}</p>
      </div>
      <Switch isOn={enabled} label={title} reason={reason} onSwitch={turn} />
    </li>
  );
}
