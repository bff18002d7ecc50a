import { join } from 'node:path';
import { sealAllEvents } from '../../../lib/history/seal-events.ts';
import { createEnvironmentRequest } from '../../../lib/request.ts';
import { invoke } from '../../harness/gateway.ts';
import { openInProcessStore } from '../in-process-store.ts';
import type { HistoryWriterJob } from './write-with-kills.ts';

/* A process that changes features through the API until it is killed, and seals what it finds now and then. */

/** The number of writers in a process. */
const writersPerProcess = 4;
/** The number of features. They are few, so that writers meet. */
const featuresMax = 40;
const project = '/api/admin/projects/default';

process.once('message', async ({ folder, adminToken, name, sealChance }: HistoryWriterJob) => {
  Object.assign(process.env, { LOG_LEVEL: 'SILENT', TABLE_NAME: 'flagstaff', PUBLIC_URL: 'http://localhost' });
  await openInProcessStore(join(folder, 'flagstaff.db'));
  const send = async (method: string, target: string, body?: unknown) =>
    (await invoke({ method, target, headers: { authorization: adminToken }, body }, 60_000)).answer.status;

  async function write(writer: number): Promise<void> {
    for (let round = 0; ; round += 1) {
      const feature = `feature-${Math.floor(Math.random() * featuresMax)}`;
      const path = `${project}/features/${feature}`;
      const isDone = (await change(path, feature, `${name}-${writer}-${round}`)) < 300;
      if (!isDone) continue;
      process.send?.('changed');
      // The process may be killed while it seals, and others may seal at the same time.
      if (Math.random() < sealChance) void sealAllEvents(createEnvironmentRequest(), new Date()).catch(() => {});
    }
  }

  function change(path: string, feature: string, text: string): Promise<number> {
    const chance = Math.random();
    if (chance < 0.05) return send('POST', `${project}/features`, { name: feature });
    if (chance < 0.06) return send('DELETE', path).then(() => send('DELETE', `/api/admin/archive/${feature}`));
    if (chance < 0.1) return send('POST', '/api/admin/tag-types', { name: text.slice(0, 50) });
    if (chance < 0.2) return send('POST', `${path}/environments/development/strategies`, { name: 'default' });
    if (chance < 0.6) return send('PUT', path, { description: text });
    return send('POST', `${path}/environments/development/${chance < 0.8 ? 'on' : 'off'}`);
  }

  await Promise.all(Array.from({ length: writersPerProcess }, (_, writer) => write(writer)));
});
