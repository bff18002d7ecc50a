import { serveHere } from '../../../harness/served.ts';
import type { Findings } from '../findings.ts';
import { specifiedOperations } from '../operations.ts';
import { brokenPromises } from '../promises.ts';
import { openTarget, unhealthy } from '../target.ts';
import { type RawRequest, sendRaw } from './raw-request.ts';
import { noHttp, rawRequestsOf } from './requests.ts';
import { askSchemathesis } from './schemathesis.ts';

const shownMax = 400;

/** Sends to a real server what only bytes can say, and then what Schemathesis makes up where there is time for it. */
export async function attackOverHttp(
  { seed, seconds }: { seed: number; seconds: number },
  findings: Findings,
): Promise<void> {
  const target = await openTarget();
  const { tokens } = target;
  await using server = await serveHere();
  const { url, port } = server;
  for (const request of noHttp) await attackWith('no operation', request);
  for (const operation of specifiedOperations) {
    const example = await target.exampleOf(operation);
    for (const request of rawRequestsOf(example)) await attackWith(operation.operationId, request);
  }
  const problem = seconds > 0 ? await askSchemathesis({ url, token: tokens[0] ?? '', seed, seconds }) : undefined;
  if (problem !== undefined) findings.add('Schemathesis', ['It found something:'], 'Schemathesis', problem);
  // Schemathesis may have removed what examples need, but the process has to be as able as before.
  const examined = seconds > 0 ? await openTarget() : target;
  for (const each of await unhealthy(examined)) findings.add('over HTTP', ['After the attack:'], each, each);

  async function attackWith(name: string, request: RawRequest): Promise<void> {
    const { status, broken } = await tried(request);
    findings.count(name, 'overHttp', status);
    const shown = JSON.stringify(request.bytes.toString('latin1').slice(0, shownMax));
    findings.add(name, broken, request.what, `over HTTP: ${request.what}\n  ${shown}`);
  }

  async function tried(request: RawRequest): Promise<{ status: number; broken: readonly string[] }> {
    const sent = request.bytes.toString();
    try {
      const answer = await sendRaw(port, request);
      if (answer === undefined) return { status: 0, broken: request.mayClose ? [] : ['It was not answered.'] };
      const judgements = request.answerers.map((operation) => brokenPromises({ ...answer, operation }, sent, tokens));
      return { status: answer.status, broken: judgements.find(({ length }) => length === 0) ?? judgements[0] ?? [] };
    } catch (error) {
      return { status: 0, broken: [`The answer was none: ${error}`] };
    }
  }
}
