import './nav.css';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { browserStorage } from '../browser/browser-storage.ts';
import { isPaletteOpen } from '../browser/palette-state.ts';
import { here } from '../browser/router.ts';
import { Brand } from '../parts/brand.tsx';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import type { IconName } from '../parts/icons.ts';
import { Avatar } from '../parts/small.tsx';
import { isAdmin, useStart } from '../reader/start.ts';
import { signOut } from './sign-out.ts';
import { toggleTheme } from './theme.ts';

interface ItemProps {
  readonly to: string;
  readonly icon: IconName;
  readonly text: string;
  readonly waiting?: number | undefined;
}

function Item({ to, icon, text, waiting = 0 }: ItemProps): JSX.Element {
  const path = here.value.split('?')[0] ?? '';
  const isCurrent = to === '/' ? path === '/' : isIn(path, to) || (to === '/people' && path === '/sign-in');
  return (
    <a class="nav-item" href={to} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={icon} />
      {text}
      {waiting > 0 && (
        <span class="nav-badge">
          {waiting}
          <span class="hidden"> waiting</span>
        </span>
      )}
    </a>
  );
}

const isIn = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`);

/** The pages that few people open every day. */
const more: readonly (readonly [to: string, icon: IconName, text: string])[] = [
  ['/playground', 'flask-conical', 'Playground'],
  ['/segments', 'users', 'Segments'],
  ['/release-templates', 'rocket', 'Release templates'],
  ['/applications', 'boxes', 'Applications'],
  ['/impact-metrics', 'activity', 'Impact metrics'],
  ['/insights', 'trending-up', 'Trends'],
  ['/environments', 'globe', 'Environments'],
  ['/context', 'sliders-horizontal', 'Context fields'],
  ['/tag-types', 'tag', 'Tag types'],
  ['/archive', 'archive', 'Archive'],
];

/** The key of the browser under which it is kept whether these pages are shown. */
const moreKey = 'nav more';

/** The navigation at the side, which is a menu on a phone. */
export function Nav(): JSX.Element {
  const { value: start } = useStart();
  const [isOpen, setOpen] = useState(false);
  const path = here.value;
  // The projects above the entry of this page push it down when they come.
  useEffect(() => {
    setOpen(false);
    document.querySelector('.nav-more [aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [path, start === undefined]);
  const [isMoreOpen, setMoreOpen] = useState(browserStorage.get(moreKey) === 'open');
  const keepMore = (isShown: boolean) => {
    setMoreOpen(isShown);
    browserStorage.set(moreKey, isShown ? 'open' : 'closed');
  };
  const isMore = more.some(([to]) => path.split('?')[0]?.startsWith(to));
  const name = start?.user.name ?? '';

  return (
    <header class="nav">
      <div class="nav-top">
        <a class="nav-brand" href="/">
          <Brand />
          Flagstaff
        </a>
        <button
          type="button"
          class="nav-burger"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="menu" size={20} label="Menu" />
        </button>
      </div>
      <nav id="menu" class={isOpen ? 'open' : ''} aria-label="Main">
        <button type="button" class="nav-find" onClick={() => (isPaletteOpen.value = true)}>
          <Icon name="search" />
          Find a flag
          <kbd>{navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <div class="nav-list">
          <div class="nav-group">
            <Item to="/" icon="flag" text="Flags" />
            <Item to="/reviews" icon="git-pull-request" text="Reviews" waiting={start?.reviews.waiting} />
            <Item to="/events" icon="rotate-ccw-clock" text="Events" />
            <Item to="/now" icon="zap" text="Now" />
          </div>
          <div class="nav-group">
            <h2>
              <a href="/projects" aria-current={path.split('?')[0] === '/projects' ? 'page' : undefined}>
                Projects
              </a>
            </h2>
            {start?.projects.map((project) => (
              <a
                key={project.id}
                class="nav-item"
                href={`/projects/${project.id}`}
                aria-current={isIn(path.split('?')[0] ?? '', `/projects/${project.id}`) ? 'page' : undefined}
              >
                <span class="nav-letter" aria-hidden="true">
                  {[...project.name][0]}
                </span>
                <span class="clip">{project.name}</span>
                <span class="nav-count">{project.features}</span>
              </a>
            ))}
          </div>
          <div class="nav-group">
            <h2>Set up</h2>
            <Item to="/tokens" icon="key-round" text="Tokens" />
            <Item to="/people" icon="users" text="People" />
            <Item to="/integrations" icon="send" text="Integrations" />
            <Item to="/move" icon="upload" text="Move and copy" />
            {isAdmin(start) && <Item to="/settings" icon="settings-2" text="Settings" />}
          </div>
          <details
            class="nav-group nav-more"
            open={isMore || isMoreOpen}
            onToggle={(event) => isMore || keepMore(event.currentTarget.open)}
          >
            <summary>More</summary>
            {more.map(([to, icon, text]) => (
              <Item key={to} to={to} icon={icon} text={text} />
            ))}
          </details>
        </div>
        <div class="nav-person">
          <a class="nav-me" href="/me" aria-current={path === '/me' ? 'page' : undefined}>
            <Avatar name={name} />
            <span class="clip">{name}</span>
          </a>
          <Button kind="quiet" onClick={toggleTheme} aria-label="Switch between light and dark">
            <Icon name="moon" />
          </Button>
          <Button kind="quiet" onClick={signOut} aria-label="Sign out">
            <Icon name="log-out" />
          </Button>
        </div>
        <p class="nav-about">
          <a href="/docs">API reference</a> <span>{start?.version}</span>
        </p>
      </nav>
    </header>
  );
}
