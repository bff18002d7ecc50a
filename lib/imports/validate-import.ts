import type { ErrorDetail } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import { requireEnvironment } from '../projects/projects.ts';
import { listProtectedEnvironments, needsApproval } from '../projects/protection.ts';
import type { Request } from '../request.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import { isBuiltIn } from '../strategy-types/strategy-types.ts';
import { withoutFeatures } from './by-feature.ts';
import type { ExportData, ImportData, ImportValidation } from './import-data-schema.ts';
import { findDecisionProblems } from './import-features.ts';
import { listMissingPermissions } from './import-permissions.ts';
import { listImportProblems } from './import-problems.ts';
import { type ImportReferences, loadImportReferences } from './import-references.ts';

/**
 * Lists the problems of an import, the features that it would overwrite, and the permissions that the caller lacks. It uses
 * the checks of the import itself, and writes nothing.
 * @throws ApiError 404 for an unknown project or environment.
 */
export async function validateImport(request: Request, caller: Caller, file: ImportData): Promise<ImportValidation> {
  const isRequesting = needsApproval(request, file.project, file.environment);
  const { references, missing, problems } = await retryLostRaces(request, async () => {
    const references = await loadImportReferences(request, file);
    requireEnvironment(references.project, file.environment);
    const problems = listImportProblems(file.data, references);
    const isDecided = problems.length === 0 && listProtectedEnvironments(request, file.project).size > 0;
    const further = isDecided ? await findDecisionProblems(request, caller, file, references, isRequesting) : [];
    return {
      references,
      missing: listMissingPermissions(
        caller,
        withoutFeatures(file.data, references.archived).data,
        references,
        isRequesting,
      ),
      problems: [...problems, ...further],
    };
  });
  return {
    errors: groupByMessage(file.data, problems),
    warnings: listWarnings(withoutFeatures(file.data, references.archived).data, references),
    permissions: missing.length === 0 ? [] : [{ message: 'You also need these permissions.', affectedItems: missing }],
  };
}

/** Groups problems with the same message, with the names of all things that have it. */
function groupByMessage(data: ExportData, problems: readonly ErrorDetail[]): ImportValidation['errors'] {
  const byMessage = Map.groupBy(problems, ({ message }) => message);
  return [...byMessage].map(([message, group]) => ({
    message,
    affectedItems: [...new Set(group.flatMap(({ path = '' }) => nameAt(data, path) ?? []))],
  }));
}

/** Returns the name of the thing at a path of the file, such as the name of the feature for `data.features.3.name`. */
function nameAt(data: ExportData, path: string): string | undefined {
  const [, part = '', index = ''] = path.split('.');
  const things = (data as unknown as Record<string, readonly Record<string, unknown>[] | undefined>)[part];
  const thing = things?.[Number(index)];
  const name = thing?.featureName || thing?.feature || thing?.name;
  return typeof name === 'string' ? name : undefined;
}

function listWarnings({ features, featureStrategies }: ExportData, references: ImportReferences) {
  const replaced = features.map(({ name }) => name).filter((name) => references.features.has(name));
  const hasPlan = (name: string) =>
    references.features.get(name)?.revision.summaries.get(references.environment)?.plan !== undefined;
  const types = new Set(featureStrategies.map(({ name }) => name));
  const custom = [...types].filter((name) => references.strategyTypes.has(name) && !isBuiltIn(name));
  return [
    {
      message: 'These features are archived and would be skipped; revive them first to import them.',
      affectedItems: [...references.archived],
    },
    { message: 'These features exist in the project and would be overwritten.', affectedItems: replaced },
    {
      message: 'These features have a release plan here, which stays; only their own strategies would be replaced.',
      affectedItems: replaced.filter(hasPlan),
    },
    { message: 'These are custom strategy types; their parameters must be the same here.', affectedItems: custom },
  ].filter(({ affectedItems }) => affectedItems.length > 0);
}
