import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { importOf } from '../../harness/import-file.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { type LocalRuntime, startRuntime, untilFree } from './local-runtime.ts';

const writers = 8;
const creation = ['feature-created', 'feature-strategy-add', 'feature-environment-enabled'];

/** A feature that was acknowledged, with so many tags; undefined where not even its creation was. */
interface Acknowledged {
  readonly feature: string;
  readonly tags: number | undefined;
}

async function send({ ask }: LocalRuntime, path: string, body?: object) {
  const response = await ask(`/api/admin/${path}`, insecureLocalToken, body);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** Creates a feature, then tags it again and again, until the server is gone; tells what was acknowledged. */
async function writeUntilKilled(runtime: LocalRuntime, feature: string, onTag: () => void): Promise<Acknowledged> {
  let tags: number | undefined;
  try {
    const made = importOf([{ name: feature, enabled: true, strategies: [{ name: 'default' }] }]);
    await send(runtime, 'features-batch/import', made);
    for (tags = 0; ; tags += 1) {
      await send(runtime, `features/${feature}/tags`, { value: `tag ${tags}` });
      onTag();
    }
  } catch {
    return { feature, tags };
  }
}

test('a server that is killed at any moment has every acknowledged change, and no partial change, when it starts again', async () => {
  const folder = folderInTest();
  const runtime = await startRuntime({ DATA_DIR: folder });
  const { promise: firstTag, resolve: onTag } = Promise.withResolvers<void>();
  const writing = Array.from({ length: writers }, (_, writer) => writeUntilKilled(runtime, `f-${writer}`, onTag));
  // However slow the machine, some have something to lose by then.
  await firstTag;
  await sleep(Math.random() * 200);
  runtime.signal('SIGKILL', 'group');
  const acknowledged = await Promise.all(writing);
  await untilFree(Number(new URL(runtime.url).port));

  const again = await startRuntime({ DATA_DIR: folder });
  expect(acknowledged.some(({ tags = 0 }) => tags > 0)).toBe(true);
  let enabled = 0;
  for (const { feature, tags } of acknowledged) {
    const { events, totalEvents } = await send(again, `events/${feature}`);
    expect(events).toHaveLength(totalEvents);
    const types = events.map(({ type }: { type: string }) => type).toReversed();
    const tagged = Math.max(0, types.length - creation.length);
    // The request that was cut off is there as a whole, or not at all.
    expect([[], [...creation, ...Array(tagged).fill('feature-tagged')]]).toContainEqual(types);
    if (tags === undefined && types.length === 0) continue;
    enabled += 1;
    expect([tags ?? 0, (tags ?? 0) + 1]).toContain(tagged);
    // Each event of a tag carries all tags of its moment, the newest first in this list.
    expect(events[0].tags).toHaveLength(tagged);
  }
  const { environments } = await send(again, 'environments');
  expect(environments.find(({ name }: { name: string }) => name === 'development').enabledToggleCount).toBe(enabled);
});
