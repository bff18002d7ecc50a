import type { Action } from '../change-input-schema.ts';
import type { RequestedChange } from '../change-request.ts';
import { segmentIdOf } from './base.ts';

/** The actions in the words of the console. */
const acts: Readonly<Record<Action, string>> = {
  updateEnabled: 'switching it on or off',
  addStrategy: 'adding a strategy',
  updateStrategy: 'changing a strategy',
  deleteStrategy: 'removing a strategy',
  reorderStrategy: 'changing the order of the strategies',
  patchVariant: 'changing the variants',
  archiveFeature: 'archiving it',
  addDependency: 'adding a parent',
  deleteDependency: 'removing the parent',
  addReleasePlan: 'adding a release plan',
  deleteReleasePlan: 'removing the release plan',
  startMilestone: 'starting a milestone',
  updateMilestoneStrategy: 'changing a strategy of a milestone',
  changeMilestoneProgression: 'setting the time of a milestone',
  deleteMilestoneProgression: 'removing the time of a milestone',
  resumeMilestoneProgression: 'resuming the release plan',
  changeReleasePlanSafeguard: 'changing a safeguard of the release plan',
  deleteReleasePlanSafeguard: 'removing a safeguard of the release plan',
  changeFeatureEnvSafeguard: 'changing a safeguard',
  deleteFeatureEnvSafeguard: 'removing a safeguard',
  updateSegment: 'changing it',
  deleteSegment: 'deleting it',
};

/** Names a change for an error: `Feature "new-checkout" (adding a release plan)`. */
export function nameChange(change: RequestedChange): string {
  const thing = change.feature === null ? `Segment ${segmentIdOf(change)}` : `Feature "${change.feature}"`;
  return `${thing} (${acts[change.action]})`;
}
