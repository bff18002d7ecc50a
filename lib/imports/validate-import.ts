import type { ErrorDetail } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import { requireEnvironment } from '../projects/projects.ts';
import { listProtectedEnvironments, needsApproval } from '../projects/protection.ts';
import type { Request } from '../request.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { isBuiltIn } from '../strategy-types/strategy-types.ts';
import { withoutFeatures } from './by-feature.ts';
import type { ExportData, ImportData, ImportValidation } from './import-data-schema.ts';
import { problemsOfDeciding } from './import-features.ts';
import { listMissingPermissions } from './import-permissions.ts';
import { importProblems } from './import-problems.ts';
import { type ImportReferences, loadImportReferences } from './import-references.ts';

/**
 * Lists the obstacles to importing a file, the things it would replace, and the rights that the caller lacks, by the
 * checks of the import itself. Nothing is written.
 * @throws ApiError 404 for an unknown project or environment.
 */
export async function validateImport(request: Request, caller: Caller, file: ImportData): Promise<ImportValidation> {
  const isAsking = needsApproval(request, file.project, file.environment);
  const { references, missing, problems } = await retryLostRaces(request, async () => {
    const references = await loadImportReferences(request, file);
    requireEnvironment(references.project, file.environment);
    const problems = importProblems(file.data, references);
    const isDecided = problems.length === 0 && listProtectedEnvironments(request, file.project).size > 0;
    const further = isDecided ? await problemsOfDeciding(request, caller, file, references, isAsking) : [];
    return {
      references,
      missing: listMissingPermissions(
        caller,
        withoutFeatures(file.data, references.archived).data,
        references,
        isAsking,
      ),
      problems: [...problems, ...further],
    };
  });
  return {
    errors: grouped(file.data, problems),
    warnings: warningsOf(withoutFeatures(file.data, references.archived).data, references),
    permissions: missing.length === 0 ? [] : [{ message: 'You also need these permissions.', affectedItems: missing }],
  };
}

/** Returns one item for each problem, with everything that has it. */
function grouped(data: ExportData, problems: readonly ErrorDetail[]): ImportValidation['errors'] {
  const byMessage = Map.groupBy(problems, ({ message }) => message);
  return [...byMessage].map(([message, same]) => ({
    message,
    affectedItems: [...new Set(same.flatMap(({ path = '' }) => nameAt(data, path) ?? []))],
  }));
}

/** Returns the name of the thing at a path of the file, e.g. of the feature for `data.features.3.name`. */
function nameAt(data: ExportData, path: string): string | undefined {
  const [, part = '', index = ''] = path.split('.');
  const things = (data as unknown as Record<string, readonly Record<string, unknown>[] | undefined>)[part];
  const thing = things?.[Number(index)];
  const name = thing?.featureName || thing?.feature || thing?.name;
  return typeof name === 'string' ? name : undefined;
}

function warningsOf({ features, featureStrategies }: ExportData, known: ImportReferences) {
  const replaced = features.map(({ name }) => name).filter((name) => known.features.has(name));
  const types = new Set(featureStrategies.map(({ name }) => name));
  const custom = [...types].filter((name) => known.strategyTypes.has(name) && !isBuiltIn(name));
  return [
    {
      message: 'These features are archived, and would be left out; revive them first to import them.',
      affectedItems: [...known.archived],
    },
    { message: 'These features exist in the project and would be overwritten.', affectedItems: replaced },
    { message: 'These strategy types are your own; their parameters must be the same here.', affectedItems: custom },
  ].filter(({ affectedItems }) => affectedItems.length > 0);
}
