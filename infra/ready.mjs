// Runs before every command of package.json, and is no TypeScript, so that a Node that cannot load TypeScript can say so.
import { existsSync } from 'node:fs';

/** The version that the functions run on in Lambda, and the first that runs TypeScript as it is. */
const nodeMajor = 24;
/** The minor version that brings a SQLite without a mistake that could damage the file of the embedded store. */
const nodeMinor = 15;

/** The reason that no command can run yet, in one sentence; undefined when there is none. */
function problem() {
  const { node } = process.versions;
  if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) {
    return 'The dependencies are not installed yet: run "npm ci" first.';
  }
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major < nodeMajor || (major === nodeMajor && minor < nodeMinor)) {
    return `Node ${nodeMajor}.${nodeMinor} or newer is needed, and this is ${node}: run "npm ci" again, or install Node ${nodeMajor} where that brings none (macOS, Windows, arm64).`;
  }
  return undefined;
}

const reason = problem();
if (reason !== undefined) {
  console.error(reason);
  process.exit(1);
}
