import { referenceWrites } from '../entity/references.ts';
import { loadDefaultStrategies, referencesOf } from '../projects/default-strategy.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { scanKeys } from '../store/scan.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';

/** Lets segments and strategy types know of the default strategies of projects that use them. */
export async function* referDefaultStrategies(
  request: Request,
  from: Key | undefined,
): AsyncGenerator<Key | undefined> {
  const { pk: prefix, sk } = keys.project('');
  for await (const { items, next } of scanKeys(request, { prefix, sk }, from)) {
    for (const { pk } of items) await referThoseOf(request, pk.slice(prefix.length));
    yield next;
  }
}

function referThoseOf(request: Request, project: string): Promise<void> {
  return retryLostRaces(request, async () => {
    for (const [environment, { strategy, isReferrer, version }] of await loadDefaultStrategies(request, project)) {
      if (isReferrer) continue;
      // What it uses may have gone meanwhile, so nothing must be there.
      const references = referencesOf(project, environment, strategy).map(({ target: _target, ...rest }) => rest);
      const item = { strategy: JSON.stringify(strategy), isReferrer: true, version: version + 1 };
      const key = keys.defaultStrategy(project, environment);
      await transact(request, [{ put: key, item, when: { version } }, ...referenceWrites([], references)], undefined);
    }
  });
}
