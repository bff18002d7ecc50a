import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportData } from '../../lib/imports/import-data-schema.ts';
import { Problem } from '../problem.ts';
import { startProgress } from './progress.ts';
import { addressIn } from './service.ts';

const attemptsMax = 6;
const pauseMs = 500;
const answerMsMax = 60_000;

/**
 * Sends the parts of an import one after the other, each until it is through.
 * @throws Problem with what the service says against a part, a line for each problem.
 */
export async function sendParts(parts: readonly ImportData[], service: URL, token: string): Promise<void> {
  const address = addressIn(service, '/api/admin/features-batch/import');
  const total = parts.reduce((sum, { data }) => sum + data.features.length, 0);
  using progress = startProgress('Features sent', total);
  for (const [index, part] of parts.entries()) {
    await send(part, address, token, `request ${index + 1} of ${parts.length}`);
    progress.advance(part.data.features.length);
  }
}

async function send(part: ImportData, address: URL, token: string, which: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const problem = await attemptToSend(part, address, token);
    if (problem === undefined) return;
    if (!problem.isPassing || attempt === attemptsMax) throw new Problem(`In ${which}: ${problem.text}`);
    await sleep(pauseMs * 2 ** (attempt - 1));
  }
}

interface Failure {
  readonly text: string;
  /** True if the same request may succeed later. An import that is sent twice makes what it makes once. */
  readonly isPassing: boolean;
}

async function attemptToSend(part: ImportData, address: URL, token: string): Promise<Failure | undefined> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify(part),
      signal: AbortSignal.timeout(answerMsMax),
    });
    const text = await response.text();
    if (response.ok) return undefined;
    const advice = response.status === 413 ? ' Set BODY_LIMIT_BYTES for this command to what the service has.' : '';
    return {
      text: `${response.status} ${messageIn(text)}${advice}`,
      isPassing: response.status === 429 || response.status >= 500,
    };
  } catch (error) {
    const { message, cause } = error as Error;
    return {
      text: `${address.origin} does not answer: ${cause instanceof Error ? cause.message : message}`,
      isPassing: true,
    };
  }
}

/** Ours is JSON with details; what stands between may answer anything. */
function messageIn(text: string): string {
  try {
    const { name, message, details = [] } = JSON.parse(text);
    const lines = details.map((detail: { path?: string; message: string }) =>
      detail.path === undefined ? detail.message : `${detail.path}: ${detail.message}`,
    );
    return [`${name}: ${message}`, ...(lines.length > 1 ? lines : [])].join('\n');
  } catch {
    return text.slice(0, 500).trim();
  }
}
