import './palette.css';
import type { JSX } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { isPaletteOpen } from '../browser/palette-state.ts';
import { go } from '../browser/router.ts';
import { getConsoleFlags } from '../calls/flags.ts';
import { useRead } from '../data/cache.ts';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icons.ts';
import { useStart } from '../reader/start.ts';
import { findEntries, type PaletteEntry, pageEntries } from './find-entries.ts';

const icons: Readonly<Record<PaletteEntry['kind'], IconName>> = {
  flag: 'flag',
  project: 'folder',
  page: 'chevron-right',
};

/** The list to jump to a flag, a project or a page by some letters of its name. */
export function Palette(): JSX.Element {
  const { value: list } = useRead(getConsoleFlags({}), 60_000);
  const { value: start } = useStart();
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState(0);
  useEffect(() => ref.current?.showModal(), []);
  const entries = useMemo((): readonly PaletteEntry[] => {
    const flags = (list?.flags ?? []).map(({ name, project, description }) => ({
      ...{ kind: 'flag' as const, name, hint: project, text: description ?? '' },
      to: `/projects/${project}/features/${name}`,
    }));
    const projects = (start?.projects ?? []).map((project) => ({
      ...{ kind: 'project' as const, name: project.name, hint: project.id, text: '' },
      to: `/projects/${project.id}`,
    }));
    return [...flags, ...projects, ...pageEntries];
  }, [list, start]);
  const found = useMemo(() => findEntries(entries, search), [entries, search]);

  function open(entry: PaletteEntry | undefined): void {
    if (entry === undefined) return;
    isPaletteOpen.value = false;
    go(entry.to);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter') open(found[chosen]);
    else return;
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for it, which the browser handles
    <dialog
      ref={ref}
      class="palette"
      aria-label="Find a flag, a project or a page"
      onClose={() => (isPaletteOpen.value = false)}
      onClick={(event) => event.target === ref.current && ref.current?.close()}
    >
      <div>
        <label class="palette-search">
          <Icon name="search" size={18} />
          <input
            role="combobox"
            aria-label="Find a flag, a project or a page"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
            autocomplete="off"
            spellcheck={false}
            placeholder="Find a flag"
            value={search}
            onInput={(event) => {
              setSearch(event.currentTarget.value);
              setChosen(0);
            }}
            onKeyDown={onKeyDown}
          />
        </label>
        <div role="listbox" id={id} aria-label="Found" class="palette-list">
          {found.map((entry, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
            <div
              key={entry.to}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              onClick={() => open(entry)}
            >
              <Icon name={icons[entry.kind]} />
              <span class={entry.kind === 'flag' ? 'mono' : ''}>{entry.name}</span>
              <span class="clip">{entry.text}</span>
              <small>{entry.hint}</small>
            </div>
          ))}
        </div>
        {found.length === 0 && <p class="palette-none">Nothing matches.</p>}
      </div>
    </dialog>
  );
}
