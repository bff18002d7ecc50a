import type { ProjectOverview } from '../../projects/project-schema.ts';
import { read } from '../data/declare-call.ts';

export const getProjectOverview = read<ProjectOverview>()(
  'getProjectOverview',
  '/api/admin/projects/{projectId}/overview',
);
