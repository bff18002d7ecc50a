import '../parts/tabs.css';
import './move.css';
import type { JSX } from 'preact';
import { Heading } from '../parts/heading.tsx';
import { here } from '../shell/router.ts';
import { ExportFlags } from './export-flags.tsx';
import { FromUnleash } from './from-unleash.tsx';
import { ImportFlags } from './import-flags.tsx';

const tabs = [
  ['', 'From Unleash'],
  ['export', 'Export flags'],
  ['import', 'Import flags'],
] as const;

/** The page for moving flags: from another service as a whole, and from one environment to another by a file. */
export function MovePage(): JSX.Element {
  const tab = new URLSearchParams(here.value.split('?')[1]).get('tab') ?? '';
  return (
    <main class="page">
      <div class="page-head">
        <Heading title="Move and copy" />
      </div>
      <nav class="tabs" aria-label="Ways to move">
        {tabs.map(([id, name]) => (
          <a key={id} href={id === '' ? '/move' : `/move?tab=${id}`} aria-current={tab === id ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {tab === '' && <FromUnleash />}
      {tab === 'export' && <ExportFlags />}
      {tab === 'import' && <ImportFlags />}
    </main>
  );
}
