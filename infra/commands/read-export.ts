import { safeParse } from 'valibot';
import { type ErrorDetail, invalidRequest, toDetail } from '../../lib/errors.ts';
import { listFileProblems } from '../../lib/imports/file-problems.ts';
import { type ImportData, importData } from '../../lib/imports/import-data-schema.ts';
import { Problem } from '../problem.ts';
import { readJsonFile } from '../read-seed-file.ts';
import { listNotImported } from './not-imported.ts';

/** The target of an import, which overrides that in the file. */
export type FileTarget = Pick<ImportData, 'project' | 'environment'>;

/** The content of a file for an import. */
export interface ReadExport {
  readonly file: ImportData;
  /** The parts of the file that are not imported, each with the reason. */
  readonly notImported: readonly string[];
}

/**
 * Reads an export, its data alone, or a complete body for the API.
 * @throws Problem if the file is no export.
 * @throws ApiError 400 whose details name every problem of the export, with its path in the file.
 */
export async function readExport(path: string, target: FileTarget): Promise<ReadExport> {
  const content = await readJsonFile(path);
  const isCompleteBody = typeof content === 'object' && content !== null && 'data' in content;
  const data = isCompleteBody ? content.data : content;
  const result = safeParse(importData, { ...target, data });
  const problems = result.success ? listFileProblems(result.output.data) : result.issues.map(toDetail);
  const details = isCompleteBody ? problems : problems.map(withoutData);
  if (!isExport(data)) throw new Problem(`${path} is not an Unleash export: ${details.map(lineOf).join(' ')}`);
  if (!result.success || details.length > 0) throw invalidRequest(details);
  return { file: result.output, notImported: listNotImported(data, result.output) };
}

/** Returns true for data that are probably meant as an export: every export has features. */
function isExport(data: unknown): data is object {
  return typeof data === 'object' && data !== null && 'features' in data;
}

/** Returns the path of a problem in a file that consists of the data alone. */
function withoutData({ message, path }: ErrorDetail): ErrorDetail {
  return path === undefined || path === 'data' ? { message } : { message, path: path.replace(/^data\./, '') };
}

function lineOf({ message, path }: ErrorDetail): string {
  return path === undefined ? message : `${path}: ${message}`;
}
