import { runClock } from '../../../lib/clock/clock.ts';
import { createEnvironmentRequest } from '../../../lib/request.ts';
import { type GatewayRequest, invoke, type Reply } from '../../harness/gateway.ts';

/** A tick of the clock in two months: whatever waits for its time is due. */
export const tickOfClock = (): GatewayRequest => ({
  ...{ method: 'TICK', target: new Date(Date.now() + 60 * 24 * 3_600_000).toISOString() },
});

/** Carries out a request to the service, or a tick of its clock. */
export async function answerTo(request: GatewayRequest): Promise<Reply> {
  if (request.method !== 'TICK') return (await invoke(request)).answer;
  const told = (status: number, text: string): Reply => ({ status, headers: {}, body: undefined, text });
  return runClock(createEnvironmentRequest(), new Date(request.target)).then(
    () => told(204, ''),
    (error: Error) => told(503, error.message),
  );
}
