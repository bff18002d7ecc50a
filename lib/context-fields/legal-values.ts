import { invalidRequest } from '../errors.ts';
import { type Constraint, operandsOf } from '../features/strategies/constraint-schema.ts';
import type { Request } from '../request.ts';
import type { ContextField } from './context-field-schema.ts';
import { contextFields } from './context-fields.ts';

/** The legal values of context fields by name. A field without legal values allows all values. */
export type LegalValues = ReadonlyMap<string, ReadonlySet<string>>;

/** Loads the legal values of the context fields that constraints compare. */
export async function loadLegalValues(request: Request, constraints: readonly Constraint[]): Promise<LegalValues> {
  const names = constraints.map(({ contextName }) => contextName);
  return collectLegalValues(await contextFields.findSome(request, names));
}

/**
 * Requires that a constraint only has legal values of its context field.
 * @throws ApiError 400 with every illegal value.
 */
export async function assertLegalValues(request: Request, constraint: Constraint): Promise<void> {
  const problems = findIllegalValues([constraint], await loadLegalValues(request, [constraint]), '');
  if (problems.length > 0) throw invalidRequest(problems.map(({ message }) => ({ message })));
}

/** Collects the legal values of context fields in sets, for fast look-ups. */
export function collectLegalValues(fields: ReadonlyMap<string, Pick<ContextField, 'legalValues'>>): LegalValues {
  return new Map([...fields].map(([name, field]) => [name, new Set(field.legalValues.map(({ value }) => value))]));
}

/** Finds the illegal values of constraints, and returns the errors. */
export function findIllegalValues(constraints: readonly Constraint[], legalValues: LegalValues, path: string) {
  return constraints.flatMap((constraint, index) => {
    const { contextName } = constraint;
    const legal = legalValues.get(contextName);
    if (legal === undefined || legal.size === 0) return [];
    return operandsOf(constraint)
      .filter((value) => !legal.has(value))
      .map((value) => ({
        message: `"${value.slice(0, 100)}" is not a legal value of the context field "${contextName}".`,
        path: `${path}.${index}`,
      }));
  });
}
