import type { ConsoleProjects } from '../../screens/projects-schema.ts';
import { percent } from '../words/numbers.ts';

type ListedProject = ConsoleProjects['projects'][number];

/** Names the owners of a project; the service itself is none. */
export function ownersOf({ owners }: Pick<ListedProject, 'owners'>): string {
  return owners
    .flatMap((owner) => {
      if (owner.ownerType === 'system') return [];
      return [owner.ownerType === 'group' ? `${owner.name} (group)` : owner.name];
    })
    .join(', ');
}

/** Returns the share of stale flags in words; undefined if none is stale. */
export function describeStale({
  staleFeatureCount,
  featureCount,
}: Pick<ListedProject, 'staleFeatureCount' | 'featureCount'>): string | undefined {
  return staleFeatureCount === 0 ? undefined : `${percent(staleFeatureCount, featureCount)} stale`;
}

/** Makes the id of a project from its name, by the rules of the service: small letters, digits, and hyphens for the rest. */
export function makeProjectId(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100);
}
