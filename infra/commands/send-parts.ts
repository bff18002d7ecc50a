import type { ImportData } from '../../lib/imports/import-data-schema.ts';
import { Problem } from '../problem.ts';
import { askService, problemIn, type Source } from './ask-service.ts';
import { startProgress } from './progress.ts';

/**
 * Sends the parts of an import one after the other, each until it is through: one that is sent twice makes what it makes once.
 * @throws Problem with what the service says against a part, a line for each problem.
 */
export async function sendParts(parts: readonly ImportData[], source: Source): Promise<void> {
  const total = parts.reduce((sum, { data }) => sum + data.features.length, 0);
  using progress = startProgress('Features sent', total);
  for (const [index, part] of parts.entries()) {
    const problem = await problemOf(part, source);
    if (problem !== undefined) throw new Problem(`In request ${index + 1} of ${parts.length}: ${problem}`);
    progress.advance(part.data.features.length);
  }
}

async function problemOf(part: ImportData, source: Source): Promise<string | undefined> {
  try {
    const answer = await askService(source, 'POST', '/api/admin/features-batch/import', part);
    if (answer.status < 300) return undefined;
    const advice = answer.status === 413 ? ' Set BODY_LIMIT_BYTES for this command to what the service has.' : '';
    return `${problemIn(answer)}${advice}`;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
