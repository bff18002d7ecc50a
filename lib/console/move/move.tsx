import './move.css';
import type { JSX } from 'preact';
import { Heading } from '../parts/heading.tsx';
import { currentTab, Tabs } from '../parts/tabs.tsx';
import { ExportFlags } from './export-flags.tsx';
import { FromUnleash } from './from-unleash.tsx';
import { ImportFlags } from './import-flags.tsx';

const tabs = [
  ['unleash', 'From Unleash'],
  ['export', 'Export flags'],
  ['import', 'Import flags'],
] as const;

/** The page for moving flags: from another service as a whole, and from one environment to another by a file. */
export function MovePage(): JSX.Element {
  const tab = currentTab(tabs);
  return (
    <main class="page">
      <div class="page-head">
        <Heading title="Move and copy" />
      </div>
      <Tabs label="Ways to move" tabs={tabs} />
      {tab === 'unleash' && <FromUnleash />}
      {tab === 'export' && <ExportFlags />}
      {tab === 'import' && <ImportFlags />}
    </main>
  );
}
