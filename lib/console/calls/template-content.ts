import type { ReleaseTemplateView } from '../../release-plans/template-schema.ts';
import { change, read } from '../data/declare-call.ts';
import type { StrategyBody } from './strategies.ts';

/** A release template as the console sends it. */
export interface ReleaseTemplateBody {
  readonly name: string;
  readonly description: string;
  readonly project: string | null;
  readonly milestones: readonly MilestoneBody[];
}

interface MilestoneBody {
  readonly id: string;
  readonly name: string;
  readonly sortOrder: number;
  readonly transitionCondition?: { readonly intervalMinutes: number };
  readonly strategies: readonly (StrategyBody & { readonly id: string; readonly sortOrder: number })[];
}

const templates = '/api/admin/release-plan-templates';
const template = `${templates}/{templateId}` as const;
export const getReleasePlanTemplate = read<ReleaseTemplateView>()('getReleasePlanTemplate', template);
export const createReleasePlanTemplate = change<unknown, ReleaseTemplateBody>()(
  'createReleasePlanTemplate',
  'POST',
  templates,
);
export const updateReleasePlanTemplate = change<unknown, ReleaseTemplateBody>()(
  'updateReleasePlanTemplate',
  'PUT',
  template,
);
