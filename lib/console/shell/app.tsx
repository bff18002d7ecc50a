import type { ComponentType, JSX } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { isPaletteOpen } from '../browser/palette-state.ts';
import { here } from '../browser/router.ts';
import { areKeysShown } from '../browser/shortcuts.ts';
import { isConnected, lastAnswerAt, signedOut } from '../data/client.ts';
import { OverrideBar } from '../override/override-bar.tsx';
import { Button } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { Later } from '../parts/later.tsx';
import { Banner, Empty } from '../parts/states.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { useStart } from '../reader/start.ts';
import { findRoute } from '../routes.ts';
import { KeyList } from './key-list.tsx';
import { Nav } from './nav.tsx';
import { SignIn } from './sign-in.tsx';

/** The frame of every page. */
export function App(): JSX.Element {
  const path = here.value.split('?')[0] ?? '/';
  if (findRoute(path)?.route.isOpen) {
    return (
      <>
        <Screen path={path} />
        <Toasts />
      </>
    );
  }
  const ways = signedOut.value;
  if (ways !== undefined) return <SignIn ways={ways} />;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="frame">
        <Nav />
        <div id="main" class="content" tabIndex={-1}>
          <OverrideBar />
          <ServiceBanners />
          <Screen path={path} />
        </div>
      </div>
      {isPaletteOpen.value && <Later load={loadPalette} props={{}} />}
      {areKeysShown.value && <KeyList />}
      <Toasts />
    </>
  );
}

function ServiceBanners(): JSX.Element {
  const { value: start } = useStart();
  const tones = { info: 'info', success: 'info', warning: 'warn', error: 'bad' } as const;
  return (
    <aside class="service-banners" aria-label="Messages">
      {!isConnected.value && (
        <Banner tone="warn" icon="wifi-off" title="Not connected">
          What you see is from{' '}
          {new Date(lastAnswerAt.value).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}.
        </Banner>
      )}
      {start?.isInMaintenance && <Banner tone="warn" icon="lock" title="Maintenance: nothing can be changed for now" />}
      {start?.banners.map(({ id, message, variant, link, linkText = 'More' }) => (
        <Banner key={id} tone={tones[variant]} icon="info" title={message}>
          {link !== undefined && (
            <a class="banner-link" href={link} rel="noreferrer">
              {linkText}
            </a>
          )}
        </Banner>
      ))}
    </aside>
  );
}

const loadPalette = async () => (await import('./palette.tsx')).Palette;

type Props = Readonly<Record<string, string>>;

/** The screen of an address; its script is loaded when it is first opened. */
function Screen({ path }: { readonly path: string }): JSX.Element {
  const [loaded, setLoaded] = useState<{ readonly path: string; readonly Part: ComponentType<Props> }>();
  const [failed, setFailed] = useState<string>();
  const found = useMemo(() => findRoute(path), [path]);
  // An effect of the layout runs before the browser paints: the next screen is on its way at once.
  useLayoutEffect(() => {
    let isCurrent = true;
    found?.route.load(found.values).then(
      (Part) => isCurrent && setLoaded({ path, Part }),
      // A new release has other scripts than those that the page knows.
      () => isCurrent && setFailed(path),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, found]);
  if (found === undefined) return <NotFound />;
  if (failed === path) return <NotLoaded />;
  if (loaded?.path !== path) return <main class="page" aria-busy="true" />;
  const { Part } = loaded;
  return <Part key={path} {...found.values} />;
}

function NotLoaded(): JSX.Element {
  return (
    <main class="page">
      <Heading title="This page could not be loaded" />
      <Empty
        icon="rotate-ccw-clock"
        title="Flagstaff may have a new release"
        action={<Button onClick={() => location.reload()}>Load it again</Button>}
      >
        Nothing is lost: edits that were not saved are kept in this tab.
      </Empty>
    </main>
  );
}

function NotFound(): JSX.Element {
  return (
    <main class="page">
      <div class="page-head">
        <Heading title="There is no such page" />
      </div>
      <div class="card">
        <Empty icon="flag" title="Nothing is at this address">
          <a href="/">All flags</a>
        </Empty>
      </div>
    </main>
  );
}
