import { invoke } from '../../harness/gateway.ts';
import { letDie } from './let-die.ts';
import type { Job, Word } from './protocol.ts';

/** A process that carries out one request, as a function of the service does, unless it dies on the way. */

const say = (word: Word) => process.send?.(word);

process.once('message', async (job: Job) => {
  Object.assign(process.env, job.environment);
  const calls = letDie(job, say);
  say({ is: 'begun' });
  const { answer } = await invoke(job.request);
  say({ is: 'answered', answer, calls });
});
