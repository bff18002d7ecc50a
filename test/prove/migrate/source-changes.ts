import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, get, post, remove, send } from '../../harness/http-call.ts';
import type { LocalProcess } from '../../harness/local-process.ts';
import { runMigrate } from './commands.ts';

const pauseMs = 1_000;
/** A large server is read for minutes. */
const arriveMsMax = 900_000;
/** Longer than a follower waits before it looks again. */
const lookMs = 8_000;
const rounds = 3;
/** A store has room for 300, and a large server is read for minutes. */
const segmentsMax = 5;
/** Unleash 7.6.5 ends where a flag goes before it has noted the start of its life, or its end. */
const roundsApart = 3;

/**
 * Proves that a source may change at any time: a migration that it changes under says so, and one that follows it brings
 * each change over.
 * @returns the broken promises; the sameness of both servers is left to be looked at.
 */
export async function proveSourceChanges(source: Address, target: LocalProcess): Promise<string[]> {
  const broken: string[] = [];
  let count = 0;
  const prefix = `while-moving-${Date.now().toString(36)}`;
  const change = () => changeOnce(source, prefix, count++);
  const running = runMigrate(source, target);
  let isRunning = true;
  const ended = running.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    await change();
    await sleep(pauseMs);
  }
  const { code, stderr } = await ended;
  if (code !== 0 || !stderr.includes('has changed since it was read')) {
    broken.push(`the source changed meanwhile: the migration ended with ${code}, and did not say so: ${stderr}`);
  }
  const meanwhile = count;
  async function followed(): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      const flag = await change();
      if (!(await arrives(target, flag))) broken.push(`followed: ${flag} did not come over`);
    }
    await sleep(lookMs);
  }
  const follower = await runMigrate(source, target, { options: ['--yes', '--watch'], until: followed() });
  if (follower.code !== 0) broken.push(`followed: it ended with ${follower.code}: ${follower.stderr}`);
  console.log(
    `The source changed ${meanwhile} times while it moved, and ${count - meanwhile} times while it was followed.`,
  );
  return broken;
}

/** Makes flags, a segment and a token, switches a flag on, and deletes some of before. @returns a flag that stays. */
async function changeOnce(source: Address, prefix: string, number: number): Promise<string> {
  const flags = '/api/admin/projects/default/features';
  const name = `${prefix}-${number}`;
  const gone = `${prefix}-gone`;
  const environment = 'production';
  const secret = { tokenName: name, type: 'client', environment, projects: ['*'] };
  for (const call of [
    post(flags, { name, type: 'release', description: `No. ${number}` }),
    post(`${flags}/${name}/environments/${environment}/strategies`, { name: 'default', parameters: {} }),
    post(`${flags}/${name}/environments/${environment}/on`, {}),
    post(`/api/admin/features/${name}/tags`, { type: 'simple', value: `of-${number}` }),
    ...(number < segmentsMax ? [post('/api/admin/segments', { name, constraints: [] })] : []),
    ...(number % 5 === 0 ? [post('/api/admin/api-tokens', secret)] : []),
    ...(number < roundsApart ? [] : [remove(`${flags}/${gone}-${number - roundsApart}`)]),
    ...(number < 2 * roundsApart ? [] : [remove(`/api/admin/archive/${gone}-${number - 2 * roundsApart}`)]),
    post(flags, { name: `${gone}-${number}`, type: 'release' }),
  ]) {
    await send(source, call);
  }
  return name;
}

async function arrives(target: Address, flag: string): Promise<boolean> {
  const path = `/api/admin/projects/default/features/${flag}`;
  for (const start = performance.now(); performance.now() - start < arriveMsMax; await sleep(pauseMs)) {
    const shown = await send(target, get(path)).catch(() => undefined);
    if (shown !== undefined) return true;
  }
  return false;
}
