import type { ListedReleaseTemplate } from '../../release-plans/template-schema.ts';
import { change, read } from '../data/declare-call.ts';

const templates = '/api/admin/release-plan-templates';
export const getReleasePlanTemplates = read<readonly ListedReleaseTemplate[]>()('getReleasePlanTemplates', templates);
export const getProjectReleaseTemplates = read<readonly ListedReleaseTemplate[]>()(
  'getProjectReleaseTemplates',
  '/api/admin/projects/{projectId}/release-templates',
);
export const archiveReleasePlanTemplate = change()(
  'archiveReleasePlanTemplate',
  'POST',
  `${templates}/archive/{templateId}`,
);
export const reviveReleasePlanTemplate = change()(
  'reviveReleasePlanTemplate',
  'POST',
  `${templates}/revive/{templateId}`,
);
export const deleteReleasePlanTemplate = change()('deleteReleasePlanTemplate', 'DELETE', `${templates}/{templateId}`);
