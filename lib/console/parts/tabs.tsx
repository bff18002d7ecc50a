import './tabs.css';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { fragment } from '../browser/router.ts';

/** A part of a page. Its id is the fragment of the address. */
export type Tab = readonly [id: string, title: string, count?: number | undefined];

/** Returns the part that the address names, else the first one. */
export function currentTab(tabs: readonly Tab[]): string {
  const known = tabs.find(([id]) => id === fragment.value) ?? tabs[0];
  return known?.[0] ?? '';
}

/** The parts of a page as links. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }): JSX.Element {
  const current = currentTab(tabs);
  const ref = useRef<HTMLElement>(null);
  // On a phone, the current tab may be outside the visible area.
  useEffect(() => {
    ref.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav ref={ref} class="tabs" aria-label={label}>
      {tabs.map(([id, title, count]) => (
        <a key={id} href={`#${id}`} aria-current={id === current ? 'page' : undefined}>
          {title}
          {count !== undefined && <span>{count}</span>}
        </a>
      ))}
    </nav>
  );
}
