import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { takesConnections } from '../../../infra/commands/store.ts';
import { freePort } from '../../harness/ports.ts';
import { start } from '../../rehearsal/processes.ts';
import { installArchives, NotHere, workshopIn } from '../sdks/tools.ts';

const pom = fileURLToPath(new URL('pom.xml', import.meta.url));
const archive = 'DynamoDBLocal-2.6.1.jar';
const sha256 = 'a28d8b4919999b7dee6ffa9fd4e9a08744460657a9bd3e3499e3aad00e1f2cc4';
const program = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner';

/**
 * Fetches Amazon's own store for tests from Maven's repository and starts it. It keeps its data in memory, gives each
 * owner tables of their own, and ends with the block that uses it.
 * @throws NotHere if Java, Maven or its repository is missing, or if what comes is not what was published.
 */
export async function startDynamoDbLocal(directory: string) {
  const workshop = workshopIn(directory);
  const folder = await installArchives(workshop, pom);
  if (hash('sha256', readFileSync(join(folder, archive))) !== sha256) throw new NotHere(`${archive} is another one.`);
  const port = await freePort('127.0.0.1');
  const flags = [`-Djava.library.path=${folder}`, '-cp', join(folder, '*')];
  const ends = new AbortController();
  const options = { env: workshop.env, signal: ends.signal };
  const running = start('java', [...flags, program, '-inMemory', '-disableTelemetry', '-port', String(port)], options);
  while (!(await takesConnections('127.0.0.1', port))) {
    const hasEnded = await Promise.race([running.ended.then(() => true), sleep(100)]);
    if (hasEnded) throw new NotHere(`DynamoDB Local ends: ${running.output()}`);
  }
  return { endpoint: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => running.stop() };
}
