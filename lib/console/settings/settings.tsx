import '../parts/tabs.css';
import './settings.css';
import type { JSX } from 'preact';
import { isAdmin, useStart } from '../data/start.ts';
import { Heading } from '../parts/heading.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { here } from '../shell/router.ts';
import { BannersSettings } from './banners-settings.tsx';
import { InstanceFacts } from './instance-facts.tsx';
import { OriginsSettings } from './origins-settings.tsx';
import { ServiceSettings } from './service-settings.tsx';

const tabs = [
  ['', 'Service'],
  ['banners', 'Banners'],
  ['instance', 'Instance'],
] as const;

/** The settings of the whole service, for Admins. */
export function SettingsPage(): JSX.Element {
  const { value: start } = useStart();
  const tab = new URLSearchParams(here.value.split('?')[1]).get('tab') ?? '';
  return (
    <main class="page">
      <div class="page-head">
        <Heading title="Settings" />
      </div>
      {start === undefined && <Skeleton rows={6} />}
      {start !== undefined && !isAdmin(start) && (
        <div class="card">
          <Empty icon="lock" title="Only Admins see the settings">
            Ask an Admin of this service.
          </Empty>
        </div>
      )}
      {isAdmin(start) && (
        <>
          <nav class="tabs" aria-label="Settings">
            {tabs.map(([id, name]) => (
              <a
                key={id}
                href={id === '' ? '/settings' : `/settings?tab=${id}`}
                aria-current={tab === id ? 'page' : undefined}
              >
                {name}
              </a>
            ))}
          </nav>
          {tab === '' && (
            <>
              <ServiceSettings />
              <OriginsSettings />
            </>
          )}
          {tab === 'banners' && <BannersSettings />}
          {tab === 'instance' && <InstanceFacts />}
        </>
      )}
    </main>
  );
}
