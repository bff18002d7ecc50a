// Runs before every command of package.json, and is no TypeScript, so that a Node that cannot load TypeScript can say so. A
// program that is named it runs itself, so that a command is one that every shell has, those of Windows too.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeOldNode, nodeMajor } from './node-version.mjs';

/** The reason that no command can run yet, in one sentence; undefined when there is none. */
function problem() {
  if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) {
    return 'The dependencies are not installed yet: run "npm ci" first.';
  }
  if (!isInstalled()) return 'The dependencies are not those of this version: run "npm ci" again.';
  const oldNode = describeOldNode();
  if (oldNode === undefined) return undefined;
  return `${oldNode}: run "npm ci" again, or install Node ${nodeMajor} where that brings none (macOS, Windows, arm64).`;
}

/** Tells whether each package that `npm start` needs is there in its version, as it is not when the project was updated. */
function isInstalled() {
  const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
  const { packages = {} } = read('node_modules/.package-lock.json');
  return Object.entries(read('package.json').dependencies ?? {}).every(
    ([name, version]) => packages[`node_modules/${name}`]?.version === version,
  );
}

/** The process that has started the shell of npm, if there is one; only Linux has files that say so. */
function starterOf(shell) {
  try {
    const read = (file) => readFileSync(`/proc/${shell}/${file}`, 'utf8');
    return read('cmdline').startsWith('sh\0-c\0') ? read('stat').split(') ').at(-1).split(' ')[1] : undefined;
  } catch {
    return undefined;
  }
}

const reason = problem();
if (reason !== undefined) {
  console.error(reason);
  process.exit(1);
}

const [, , program] = process.argv;
if (program !== undefined) {
  const file = resolve(program);
  // As if Node had been called with it.
  process.argv.splice(1, 2, file);
  // A signal to npm ends the shell between the two, if there is one, which hands none on; a kill of npm leaves both.
  const { ppid } = process;
  const starter = starterOf(ppid);
  const watch = setInterval(() => {
    if (process.ppid === ppid && starterOf(ppid) === starter) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
  await import(pathToFileURL(file).href);
}
