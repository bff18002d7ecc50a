import { serveFeatures } from '../../../lib/delivery/client-features.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import type { ProvedService } from '../service.ts';

const processes = 8;
const scope = { projects: ['*'], environment: 'development' };
const features = 20;

/**
 * Proves that a client which polls any of eight processes, as behind a balancer, while features come, change, move and
 * go, never sees an earlier state again.
 */
export async function pollAnywhere(service: ProvedService, changes: number) {
  // Some polls are answered with an earlier revision than the one before, and some 503: an SDK keeps what it has.
  const counts = { polls: 0, changes: 0, fallen: 0, refused: 0 };
  const tables = Array.from({ length: processes }, () => anotherProcess(service.table));
  let isOver = false;
  const poll = async () => {
    let [ifNoneMatch, last] = ['', -1];
    while (!isOver) {
      const table = tables[Math.floor(Math.random() * processes)] ?? service.table;
      const answer = await serveFeatures(table, scope, { query: {}, segmentsApart: true, ifNoneMatch }).catch(
        unlessRefused,
      );
      if (answer === undefined) {
        counts.refused += 1;
        continue;
      }
      const { etag } = answer;
      const revision = Number(etag.split(':')[1]);
      if (revision < last) counts.fallen += 1;
      counts.polls += 1;
      [ifNoneMatch, last] = [etag, revision];
    }
  };
  const change = async () => {
    try {
      for (let number = 0; number < changes; number += 1) {
        await changeOnce(service, number);
        counts.changes += 1;
      }
    } finally {
      isOver = true;
    }
  };
  await Promise.all([change(), poll()]);
  return counts;
}

/** Returns nothing if the service asks to try again. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof Error && error.name === 'ServiceUnavailable')) throw error;
}

/** Takes a feature through its life in ten changes, one feature after the other. */
async function changeOnce(service: ProvedService, number: number): Promise<void> {
  const name = `polled-${Math.floor(number / 10) % features}-${Math.floor(number / 10 / features)}`;
  const base = '/api/admin/projects';
  const own = `${base}/default/features/${name}`;
  const environment = `${own}/environments/development`;
  const there = `${base}/shop/features/${name}`;
  const steps: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['POST', `${base}/default/features`, { name }],
    ['POST', `${environment}/strategies`, { name: 'default' }],
    ['POST', `${environment}/on`, {}],
    ['POST', `${environment}/off`, {}],
    ['POST', `${own}/changeProject`, { newProjectId: 'shop' }],
    ['POST', `${there}/changeProject`, { newProjectId: 'default' }],
    ['POST', `/api/admin/features/${name}/tags`, { type: 'simple', value: 'polled' }],
    ['DELETE', own],
    ['POST', `/api/admin/archive/revive/${name}`, {}],
    ['DELETE', own],
  ];
  const [method, path, body] = steps[number % steps.length] ?? ['GET', '/health'];
  const { status, text } = await service.call(method, path, body && { body });
  if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
}
