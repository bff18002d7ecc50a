import { createRequire } from 'node:module';

// Lambda finds a handler in index.js, index.mjs and index.cjs. The emulator uses Node's `require`, which does not try `.cjs`.
// It loads this file first, which adds that extension.
const { extensions } = createRequire(import.meta.url);
extensions['.cjs'] ??= extensions['.js'];
