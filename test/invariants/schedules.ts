import type { Item } from '../harness/items.ts';
import type { FeatureInItems } from './stored-feature.ts';

/** Lists scheduled change requests that a feature which they will change does not name, and ids on features that name none. */
export function scheduleProblems(items: readonly Item[], features: ReadonlyMap<string, FeatureInItems>): string[] {
  const scheduled = items.filter(({ sk, state }) => sk === 'CHANGE_REQUEST' && state === 'Scheduled');
  const wanted = scheduled.flatMap(({ id, project, changes, applied }) => {
    const names = JSON.parse(String(changes)).flatMap(({ feature }: { feature: string | null }) => feature ?? []);
    const done = new Set(JSON.parse(String(applied ?? '[]')));
    const open = [...new Set<string>(names)].filter((name) => !done.has(`feature "${name}"`));
    const there = open.filter((name) => features.get(name)?.fields.project === project);
    return there.map((name) => `${name} ${id}`);
  });
  const known = [...features.values()].flatMap(({ name, fields }) =>
    JSON.parse(String(fields.schedules ?? '[]')).map((id: number) => `${name} ${id}`),
  );
  const ids = new Set(scheduled.map(({ id }) => String(id)));
  return [
    ...wanted
      .filter((each) => !known.includes(each))
      .map((each) => `a scheduled request that its feature does not name: ${each}`),
    ...known
      .filter((each) => !ids.has(each.split(' ')[1] ?? ''))
      .map((each) => `a feature that names a request which is not scheduled: ${each}`),
  ];
}
