import {
  type AudienceCounts,
  listConditions,
  type MeasuredState,
  measureAudience,
  type PreviewSegment,
  sampleFields,
  toEvaluable,
} from '../../delivery/preview/audience.ts';
import { loadExpressions } from './stand-ins/re2.ts';

/**
 * Counts the made-up users who get a flag before and after a change.
 * @throws Error if the conditions take more work than a request may.
 */
export async function measureChange(
  name: string,
  before: MeasuredState,
  after: MeasuredState,
  segments: readonly PreviewSegment[],
  legalValuesOf: (field: string) => readonly string[],
  users: number,
): Promise<AudienceCounts> {
  const conditions = listConditions([before, after], segments);
  if (conditions.some(({ operator }) => operator === 'REGEX')) await loadExpressions();
  const fields = sampleFields(conditions, legalValuesOf);
  return measureAudience(toEvaluable(name, before), toEvaluable(name, after), segments, fields, users);
}
