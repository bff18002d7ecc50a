import { safeParse } from 'valibot';
import { type ErrorDetail, invalidRequest, toDetail } from '../../lib/errors.ts';
import { listFileProblems } from '../../lib/imports/file-problems.ts';
import { type ImportData, importData } from '../../lib/imports/import-data-schema.ts';
import { Problem } from '../problem.ts';
import { readJsonFile } from '../read-json-file.ts';
import { notTaken } from './not-taken.ts';

/** The target of an import, whatever its file says. */
export type FileTarget = Pick<ImportData, 'project' | 'environment'>;

/** A file as an import takes it. */
export interface ReadExport {
  readonly file: ImportData;
  /** The parts of it that an import does not take, each with the reason. */
  readonly notTaken: readonly string[];
}

/**
 * Reads a file that is an export, the data alone or already what the API takes.
 * @throws Problem when it is no export at all.
 * @throws ApiError 400 whose details name every problem of an export, by its place in the file.
 */
export async function readExport(path: string, target: FileTarget): Promise<ReadExport> {
  const content = await readJsonFile(path);
  const isWhole = typeof content === 'object' && content !== null && 'data' in content;
  const data = isWhole ? content.data : content;
  const result = safeParse(importData, { ...target, data });
  const problems = result.success ? listFileProblems(result.output.data) : result.issues.map(toDetail);
  const placed = isWhole ? problems : problems.map(withoutData);
  if (!isExport(data)) throw new Problem(`${path} is no Unleash export: ${placed.map(lineOf).join(' ')}`);
  if (!result.success || placed.length > 0) throw invalidRequest(placed);
  return { file: result.output, notTaken: notTaken(data, result.output) };
}

/** Tells whether data are at least meant as an export: every export names features. */
function isExport(data: unknown): data is object {
  return typeof data === 'object' && data !== null && 'features' in data;
}

/** The place of a problem in a file that is the data itself. */
function withoutData({ message, path }: ErrorDetail): ErrorDetail {
  return path === undefined || path === 'data' ? { message } : { message, path: path.replace(/^data\./, '') };
}

function lineOf({ message, path }: ErrorDetail): string {
  return path === undefined ? message : `${path}: ${message}`;
}
