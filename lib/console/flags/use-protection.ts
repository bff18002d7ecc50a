import { useEffect, useState } from 'preact/hooks';
import { getProjectOverview } from '../calls/projects.ts';
import { loadAddress, peek } from '../data/cache.ts';
import type { ProjectFlags } from './bulk-changes.ts';

/** Reads the environments of projects that need approval. @returns undefined until they are known. */
export function useProtection(
  groups: readonly Pick<ProjectFlags, 'project'>[],
): ((project: string, environment: string) => boolean) | undefined {
  const [isRead, setRead] = useState(false);
  const pathOf = (project: string) => getProjectOverview({ projectId: project });
  useEffect(() => {
    let isCurrent = true;
    Promise.all(groups.map(({ project }) => loadAddress(pathOf(project)))).then(() => isCurrent && setRead(true));
    return () => {
      isCurrent = false;
    };
  }, []);
  if (!isRead) return undefined;
  return (project, environment) =>
    peek(pathOf(project)).value?.environments.some(
      (each) => each.environment === environment && each.changeRequestsEnabled,
    ) ?? false;
}
