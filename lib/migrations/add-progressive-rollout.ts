import { randomUUID } from 'node:crypto';
import type { Request } from '../request.ts';
import { itemKey } from '../store/client/definition.ts';
import { readItems } from '../store/read.ts';
import type { Write } from '../store/transactions/write.ts';

const [id, name] = ['progressive-rollout', 'Progressive rollout'];
const templateKey = itemKey('RELEASE_TEMPLATES', `ID#${id}`);
const nameKey = itemKey('RELEASE_TEMPLATES', `NAME#${name}`);

/**
 * Builds the items of the release template that new stores begin with, unless a template has its id or its name. There is no event,
 * since nobody has created it. The items are written out, so that later releases can change the code of templates.
 */
export async function buildProgressiveRollout(request: Request): Promise<readonly Write[]> {
  const existing = await readItems(request, [templateKey, nameKey]);
  if (existing.some((item) => item !== undefined)) return [];
  const at = new Date().toISOString();
  const template = {
    ...{ id, name, project: null, createdByUserId: -1337, createdAt: at, archivedAt: null },
    description: 'To a quarter of all users, to half, to three quarters, then to everybody.',
    milestones: JSON.stringify(['25', '50', '75', '100'].map(buildMilestone)),
    version: Date.parse(at) * 1_000 + 1,
  };
  return [
    { put: templateKey, item: template, when: 'absent' },
    { put: nameKey, item: { id, project: null }, when: 'absent' },
  ];
}

function buildMilestone(rollout: string, sortOrder: number) {
  const parameters = { rollout, stickiness: 'default', groupId: '{{featureName}}' };
  const content = { title: null, disabled: false, segments: [], constraints: [], variants: [], parameters };
  const strategy = { id: randomUUID(), name: 'flexibleRollout', ...content, sortOrder: 0 };
  return { id: randomUUID(), name: `${rollout}%`, sortOrder, strategies: [strategy] };
}
