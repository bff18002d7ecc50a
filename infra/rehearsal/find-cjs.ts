import { createRequire } from 'node:module';

// Lambda finds a handler in index.js, index.mjs and index.cjs. The emulator asks Node, which does not look for the last
// of them, so that this is loaded before it asks.
const { extensions } = createRequire(import.meta.url);
extensions['.cjs'] ??= extensions['.js'];
