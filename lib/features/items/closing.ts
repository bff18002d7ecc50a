import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import * as keys from '../../store/keys.ts';
import * as partitions from '../../store/partitions.ts';
import { queryAll } from '../../store/read.ts';
import type { Condition, Write } from '../../store/transactions/write.ts';
import { closed, closedIn } from './shelf-items.ts';

/** The marks of a project, as they were read one by one. */
export interface ProjectMarks {
  readonly project: string;
  /** The numbers of each item, by its sort key. */
  readonly items: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

export async function loadMarks(request: Request, project: string): Promise<ProjectMarks> {
  const { prefix, ...partition } = partitions.marks(project);
  const found = await queryAll<Key>(request, { ...partition, prefix });
  return { project, items: new Map(found.map(({ pk: _pk, sk, ...numbers }) => [sk, numbers])) };
}

/** The sum of a number over all marks. */
export function totalOf({ items }: ProjectMarks, name: string): number {
  return [...items.values()].reduce((sum, numbers) => sum + (numbers[name] ?? 0), 0);
}

export function isClosed(marks: ProjectMarks): boolean {
  return totalOf(marks, closed) > 0;
}

export function isClosedIn(marks: ProjectMarks, environment: string): boolean {
  return totalOf(marks, closedIn(environment)) > 0;
}

/** What is closed for features, or opened again. */
export interface Closing {
  readonly isClosed: boolean;
  /** The project itself. */
  readonly isWhole?: boolean;
  /** For what features do in these environments. */
  readonly environments?: readonly string[];
  /** Only where no feature has changed since the marks were read, so that what was counted by then holds. */
  readonly ifUnchanged?: boolean;
}

/**
 * The writes that close a project, or some of its environments, or open them again. No change of a feature that rests on
 * what was open comes after its closing.
 */
export function closingWrites(marks: ProjectMarks, closing: Closing): Write[] {
  const { isWhole = false, environments = [], ifUnchanged = false } = closing;
  const names = [...(isWhole ? [closed] : []), ...environments.map(closedIn)];
  return keys.marks(marks.project).map((key) => {
    const before = marks.items.get(key.sk);
    const amounts = names.map((name) => [name, Number(closing.isClosed) - (before?.[name] ?? 0)] as const);
    const unchanged: Condition = before === undefined ? 'absent' : { same: { r: before.r ?? 0 } };
    return {
      add: key,
      amounts: { ...Object.fromEntries(amounts), sum: 0, r: 1 },
      ...(ifUnchanged && { when: unchanged }),
    };
  });
}
