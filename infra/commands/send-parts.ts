import type { ImportData } from '../../lib/imports/import-data-schema.ts';
import { Problem } from '../problem.ts';
import { askService, problemIn, type Source } from './ask-service.ts';
import { startProgress } from './progress.ts';

/**
 * Sends the parts of an import one after the other, each until it succeeds. Sending a part twice has no further effect.
 * @throws Problem with the error of the service about a part, with a line for each problem.
 */
export async function sendParts(parts: readonly ImportData[], source: Source): Promise<void> {
  const total = parts.reduce((sum, { data }) => sum + data.features.length, 0);
  using progress = startProgress('Features sent', total);
  for (const [index, part] of parts.entries()) {
    const problem = await trySend(part, source);
    if (problem !== undefined) throw new Problem(`In request ${index + 1} of ${parts.length}: ${problem}`);
    progress.advance(part.data.features.length);
  }
}

async function trySend(part: ImportData, source: Source): Promise<string | undefined> {
  try {
    const answer = await askService(source, 'POST', '/api/admin/features-batch/import', part);
    if (answer.status < 300) return undefined;
    const advice = answer.status === 413 ? ' Set BODY_LIMIT_BYTES for this command to that of the service.' : '';
    return `${problemIn(answer)}${advice}`;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
