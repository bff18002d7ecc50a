import { createEnvironmentRequest } from '../../../lib/request.ts';
import { underStoreRules } from '../../harness/store-rules.ts';
import { openInProcessStore } from '../in-process-store.ts';
import { answerTo } from './answer-to.ts';
import { letDie } from './let-die.ts';
import type { Job, Word } from './protocol.ts';

/** A process that carries out one request, as a function of the service does, unless it dies on the way. */

const say = (word: Word) => process.send?.(word);

process.once('message', async (job: Job) => {
  process.env.PUBLIC_URL ??= 'http://localhost';
  Object.assign(process.env, job.environment);
  if (job.storeFile !== undefined) await openInProcessStore(job.storeFile);
  const calls = letDie(job, say);
  // The transactions of one request may be in each other's way on AWS, which a store on this machine does not show.
  underStoreRules(createEnvironmentRequest(), { halfVisible: false });
  say({ is: 'begun' });
  const answer = await answerTo(job.request);
  say({ is: 'answered', answer, calls });
});
