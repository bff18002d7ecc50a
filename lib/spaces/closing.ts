import { closed, closedIn } from '../features/shelf-items.ts';
import { type Key, keys, partitions } from '../table/keys.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { Condition, Write } from '../table/write.ts';

/** The marks of a project, as they were read one by one. */
export interface ProjectMarks {
  readonly project: string;
  /** The numbers of each item, by its sort key. */
  readonly items: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

export async function loadMarks(table: Table, project: string): Promise<ProjectMarks> {
  const { prefix, ...partition } = partitions.marks(project);
  const found = await queryAll<Key>(table, { ...partition, prefix });
  return { project, items: new Map(found.map(({ pk: _pk, sk, ...numbers }) => [sk, numbers])) };
}

/** The sum of a number over all marks. */
export function totalOf({ items }: ProjectMarks, name: string): number {
  return [...items.values()].reduce((sum, numbers) => sum + (numbers[name] ?? 0), 0);
}

/** What is closed or opened: the project for features, or for those that are on in an environment. */
export interface Closing {
  readonly isClosed: boolean;
  readonly environments?: readonly string[];
  /** The project itself, and not only the environments. */
  readonly whole: boolean;
}

/**
 * The writes that close a project for features, or open it again, where no feature of it has changed since the marks were
 * read: what was counted by then holds, and no change that rests on the open project comes after it.
 */
export function closingWrites(marks: ProjectMarks, { isClosed, whole, environments = [] }: Closing): Write[] {
  const names = [...(whole ? [closed] : []), ...environments.map(closedIn)];
  return keys.marks(marks.project).map((key) => {
    const before = marks.items.get(key.sk);
    const amounts = names.map((name) => [name, Number(isClosed) - (before?.[name] ?? 0)] as const);
    const when: Condition = before === undefined ? 'absent' : { same: { r: before.r ?? 0 } };
    return { add: key, amounts: { ...Object.fromEntries(amounts), sum: 0, r: 1 }, when };
  });
}
