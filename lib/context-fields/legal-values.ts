import { invalidRequest } from '../errors.ts';
import { type Constraint, operandsOf } from '../features/strategies/constraint-schema.ts';
import type { Request } from '../request.ts';
import type { ContextField } from './context-field-schema.ts';
import { contextFields } from './context-fields.ts';

/** The values that each context field allows; a field without any allows all. */
export type LegalValues = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the legal values of what constraints compare; called together with other reads, it shares their request. */
export async function loadLegalValues(request: Request, constraints: readonly Constraint[]): Promise<LegalValues> {
  const names = constraints.map(({ contextName }) => contextName);
  return legalValuesBy(await contextFields.some(request, names));
}

/**
 * Checks a constraint by itself against the legal values of its context field.
 * @throws ApiError 400 with every value that is not legal.
 */
export async function assertLegalValues(request: Request, constraint: Constraint): Promise<void> {
  const problems = illegalValues([constraint], await loadLegalValues(request, [constraint]), '');
  if (problems.length > 0) throw invalidRequest(problems.map(({ message }) => ({ message })));
}

/**
 * Returns the legal values of context fields as sets, so that a look-up takes one step however many constraints there
 * are.
 */
export function legalValuesBy(fields: ReadonlyMap<string, Pick<ContextField, 'legalValues'>>): LegalValues {
  return new Map([...fields].map(([name, field]) => [name, new Set(field.legalValues.map(({ value }) => value))]));
}

/** Lists the problems of constraints with values that are not legal values of their context field. */
export function illegalValues(constraints: readonly Constraint[], legalValues: LegalValues, path: string) {
  return constraints.flatMap((each, index) => {
    const { contextName } = each;
    const legal = legalValues.get(contextName);
    if (legal === undefined || legal.size === 0) return [];
    return operandsOf(each)
      .filter((value) => !legal.has(value))
      .map((value) => ({
        message: `"${value.slice(0, 100)}" is not a legal value of the context field "${contextName}".`,
        path: `${path}.${index}`,
      }));
  });
}
