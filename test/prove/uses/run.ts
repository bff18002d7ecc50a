import type { Callable } from '../../harness/world.ts';
import { World } from '../../harness/world.ts';
import { contentOf } from '../crash/content.ts';
import type { Use } from './any-use.ts';
import { dangling } from './dangling.ts';

/** Answers that other requests may bring about. */
const expected = new Set([200, 201, 202, 204, 400, 404, 409]);

/** What things are made of at first. */
export async function prepareUses(service: Callable): Promise<void> {
  const world = new World(service);
  await world.project();
  await world.ask('POST', '/api/admin/environments', { name: 'lab', type: 'test' });
  await world.ask('POST', '/api/admin/projects/project-1/environments', { environment: 'lab' });
  await world.ask('POST', '/api/admin/strategies', { name: 'beta', parameters: [] });
  for (const name of ['team', 'area']) await world.ask('POST', '/api/admin/tag-types', { name });
  await world.features(2);
  for (let count = 0; count < 2; count += 1) await world.segment();
}

/**
 * Sends requests at the same time, and looks at what they have left.
 * @param isFaulty whether the store fails meanwhile, so that requests may be refused for now, or be cut off.
 * @param disturbed lets the store fail as long as it lasts.
 * @returns what is wrong, and how requests were answered.
 */
export async function runTogether(
  service: Callable,
  uses: readonly Use[],
  isFaulty: boolean,
  disturbed: () => Disposable,
): Promise<{ readonly problems: readonly string[]; readonly statuses: readonly number[] }> {
  const answers = await (async () => {
    using _disturbed = disturbed();
    return await Promise.all(uses.map((use) => sent(service, use)));
  })();
  const unexpected = answers.flatMap((answer, index) =>
    answer === undefined || expected.has(answer.status) || (isFaulty && answer.status === 503)
      ? []
      : [`${uses[index]?.send} was answered ${answer.status}: ${answer.text}`],
  );
  const problems = [...unexpected, ...dangling(await contentOf(service.table))];
  return { problems, statuses: answers.flatMap((answer) => answer?.status ?? []) };
}

async function sent(service: Callable, { send, body, strategies }: Use) {
  const [method = '', path = ''] = send.split(' ');
  const options = body === undefined ? {} : { body };
  if (strategies === undefined) return service.call(method, path, options);
  const listed = await service.call('GET', strategies);
  const id = listed.status === 200 ? listed.body[0]?.id : undefined;
  return id === undefined ? undefined : service.call(method, path.replace('{strategy}', id), options);
}
