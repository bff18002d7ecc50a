import './settings.css';
import type { JSX } from 'preact';
import { Heading } from '../parts/heading.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { currentTab, Tabs } from '../parts/tabs.tsx';
import { isAdmin, useStart } from '../reader/start.ts';
import { BannersSettings } from './banners-settings.tsx';
import { InstanceFacts } from './instance-facts.tsx';
import { McpSettings } from './mcp-settings.tsx';
import { OriginsSettings } from './origins-settings.tsx';
import { ServiceSettings } from './service-settings.tsx';

const tabs = [
  ['service', 'Service'],
  ['agents', 'Agents'],
  ['banners', 'Banners'],
  ['instance', 'Instance'],
] as const;

/** The settings of the whole service, for Admins. */
export function SettingsPage(): JSX.Element {
  const { value: start } = useStart();
  const tab = currentTab(tabs);
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
          <Tabs label="Settings" tabs={tabs} />
          {tab === 'service' && (
            <>
              <ServiceSettings />
              <OriginsSettings />
            </>
          )}
          {tab === 'agents' && <McpSettings />}
          {tab === 'banners' && <BannersSettings />}
          {tab === 'instance' && <InstanceFacts />}
        </>
      )}
    </main>
  );
}
