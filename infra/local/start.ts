import { enableCompileCache } from 'node:module';

// Compiled once, everything that comes after it loads in half the time from then on.
enableCompileCache();
const { run } = await import('./run.ts');
await run();
