import { openEmbeddedStore } from '../../../infra/local/embedded-store.ts';
import type { TakerJob } from './take-over-kills.ts';

/** A process that takes over what release 0.2 has kept, unless it is killed on the way. */

process.once('message', async ({ directory }: TakerJob) => {
  process.send?.('begun');
  await openEmbeddedStore(directory);
  process.send?.('open');
});
