import { expect, test } from 'vitest';
import { goBack, loadPresent, PageBudget } from '../../../lib/time-travel/rebuild-flag.ts';
import { addFeatures, paths } from '../../harness/features.ts';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import { freshService } from '../../harness/service.ts';

test('A request that would read too many events of a feature says so, and still finds recent moments', async () => {
  const service = await freshService();
  await addFeatures(service, ['busy']);
  const created = new Date().toISOString();
  // A moment is a millisecond, and contains all of its changes.
  await nextMillisecond();
  for (let change = 0; change < 30; change += 1) {
    await service.put(paths.feature('busy'), { description: `Change ${change}` });
  }
  const present = await loadPresent(service.table, 'busy');
  const goTo = (time: string, pages?: number) =>
    goBack(service.table, 'busy', present, { time }, new PageBudget(pages));
  await expect(goTo(created, 0)).rejects.toThrow('too large to read');
  await expect(goTo(created)).resolves.toMatchObject({ state: { description: null } });
  await expect(goTo(new Date().toISOString(), 0)).resolves.toMatchObject({ doubts: [] });
});
