import './parts/tokens.css';
import './parts/base.css';
import { render } from 'preact';
import { load } from './data/cache.ts';
import { startPath } from './data/start.ts';
import { App } from './shell/app.tsx';
import { startKeys } from './shell/keys.ts';
import { startRouter } from './shell/router.ts';
import { startTheme } from './shell/theme.ts';

startTheme();
startRouter();
startKeys();
load(startPath);
const root = document.getElementById('console');
if (root !== null) render(<App />, root);
