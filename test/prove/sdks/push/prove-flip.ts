import type { Promises } from '../../promises.ts';
import type { Flags } from '../flags.ts';

/** Turns the flag "switched", and proves that a client has its new value within some milliseconds. */
export async function proveFlip(
  promises: Promises,
  flags: Flags,
  isEnabled: () => Promise<boolean>,
  milliseconds: number,
): Promise<void> {
  const wanted = await flags.flip();
  await promises.within(milliseconds, 'a change is seen', async () => (await isEnabled()) === wanted);
}
