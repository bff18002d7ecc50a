import { enableCompileCache } from 'node:module';

/** The version that the functions run on in Lambda, and the first that runs these files as they are. */
const nodeMajor = 24;

if (Number.parseInt(process.versions.node, 10) < nodeMajor) {
  console.error(`Node ${nodeMajor} or newer is needed; this is ${process.versions.node}. "npm start" brings its own.`);
  process.exit(1);
}

// Only now comes what an older Node could not even load. Compiled once, it loads in half the time from then on.
enableCompileCache();
const { run } = await import('./run.ts');
await run();
