import './parts/tokens.css';
import './parts/base.css';
import { render } from 'preact';
import { startRouter } from './browser/router.ts';
import { startShortcuts } from './browser/shortcuts.ts';
import { loadAddress } from './data/cache.ts';
import { followReader } from './reader/follow-reader.ts';
import { startPath } from './reader/start.ts';
import { findRoute } from './routes.ts';
import { App } from './shell/app.tsx';
import { followSignOut } from './shell/sign-out.ts';
import { startTheme } from './shell/theme.ts';
import { followWantedPage } from './shell/wanted-page.ts';

startTheme();
startRouter();
startShortcuts();
followWantedPage();
followReader();
followSignOut();
const found = findRoute(location.pathname);
if (!found?.route.isOpen) loadAddress(startPath);
// The script of the screen and its data come while the frame is drawn. The screen tells if they do not.
found?.route.load(found.values).catch(() => {});
const root = document.getElementById('console');
if (root !== null) render(<App />, root);
