import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../../../lib/events/event-schema.ts';
import { listLiveStrategies } from '../../../../lib/features/environments/feature-environment.ts';
import type { FeatureVariant } from '../../../../lib/features/environments/variant-schema.ts';
import type { Feature } from '../../../../lib/features/feature.ts';
import type { ReleasePlan } from '../../../../lib/features/plans/release-plan.ts';
import type { Strategy } from '../../../../lib/features/strategies/strategy-schema.ts';
import type { FieldChange } from '../history.ts';
import type { TakenOver } from './clone.ts';
import {
  environmentOf,
  type FeatureState,
  type ForetoldEvent,
  ownFieldsOf,
  type StateInEnvironment,
  withEnvironmentState,
} from './feature.ts';

interface WithId {
  readonly id: string;
}

/** The ids of a new plan and of its parts, and of the person who gets named as its creator. */
export interface PlanIds extends WithId {
  readonly createdByUserId: number;
  readonly milestones: readonly (WithId & { readonly strategies: readonly WithId[] })[];
}

/** Values that the service is free to choose, as its events and answers show them. */
export interface Chosen {
  /** The time of the change. */
  readonly at: string;
  readonly createdAt?: string | undefined;
  readonly createdBy?: Feature['createdBy'];
  readonly archivedAt?: string | undefined;
  readonly revivedAt?: string | undefined;
  readonly strategyIds: readonly string[];
  readonly plan?: PlanIds | undefined;
  /** Properties that a clone has taken over. */
  readonly takenOver?: TakenOver;
  /** The environments in which a feature was switched off, in their order. */
  readonly switchedOff?: readonly (string | null)[];
}

type Shown = Partial<Pick<ForetoldEvent, 'environment' | 'data' | 'preData'>>;

/** A feature on its way through one change, with the events that tell of the way so far. */
export class Draft {
  readonly events: ForetoldEvent[] = [];
  state: FeatureState;

  constructor(state: FeatureState) {
    this.state = state;
  }

  tell(type: Event['type'], { environment = null, data = null, preData = null }: Shown = {}): void {
    const { name, project, tags } = this.state;
    this.events.push({ type, environment, project, featureName: name, data, preData, tags: [...tags] });
  }

  /** Changes the feature's own fields, among them whether it is in the archive. */
  changeFields(change: FieldChange, { archivedAt = 'a time', revivedAt }: Chosen): void {
    const before = this.state;
    const { archived: wasArchived } = ownFieldsOf(before);
    const { archived = wasArchived, ...fields } = change;
    this.state = { ...before, ...fields };
    if (archived && !wasArchived) {
      this.state = { ...this.state, archivedAt, lifecycle: { stage: 'archived', enteredStageAt: archivedAt } };
    }
    if (!archived && wasArchived) {
      this.state = { ...this.state, archivedAt: null, lifecycle: { stage: 'initial', enteredStageAt: revivedAt } };
    }
    const [data, preData] = [ownFieldsOf(this.state), ownFieldsOf(before)];
    if (JSON.stringify(data) === JSON.stringify(preData)) return;
    this.tell('feature-metadata-updated', { data, preData });
    if (data.stale !== preData.stale) this.tell(data.stale ? 'feature-stale-on' : 'feature-stale-off');
    if (archived !== wasArchived) this.tell(archived ? 'feature-archived' : 'feature-revived');
  }

  /** Archives the feature: a change of its fields, but shown as one step. */
  archive({ archivedAt = 'a time' }: Chosen): void {
    this.state = { ...this.state, archivedAt, lifecycle: { stage: 'archived', enteredStageAt: archivedAt } };
    this.tell('feature-archived');
  }

  /** Takes it out of the archive, off everywhere. */
  revive({ revivedAt, switchedOff = [] }: Chosen): void {
    this.state = { ...this.state, archivedAt: null, lifecycle: { stage: 'initial', enteredStageAt: revivedAt } };
    this.tell('feature-revived');
    const on = Object.keys(this.state.environments).filter((name) => this.state.environments[name]?.enabled);
    const inOrder = on.toSorted((a, b) => switchedOff.indexOf(a) - switchedOff.indexOf(b));
    for (const name of inOrder) this.switchOff(name);
  }

  switchOff(environment: string): void {
    const state = environmentOf(this.state, environment);
    if (!state.enabled) return;
    this.state = withEnvironmentState(this.state, environment, { ...state, enabled: false });
    this.tell('feature-environment-disabled', { environment });
  }

  moveTo(project: string): void {
    const oldProject = this.state.project;
    if (oldProject === project) return;
    this.state = { ...this.state, project };
    this.tell('feature-project-change', { data: { oldProject, newProject: project } });
  }

  /** Changes the strategies; without an enabled one left, the feature is off there. */
  changeStrategies(environment: string, strategies: readonly Strategy[], type: Event['type'], shown: Shown): void {
    const state = environmentOf(this.state, environment);
    this.#changeLive(environment, { ...state, strategies }, () => this.tell(type, { environment, ...shown }));
  }

  /** Changes the plan; without an enabled strategy left, the feature is off there. */
  changePlan(environment: string, plan: ReleasePlan | undefined, tell: () => void): void {
    const { plan: _plan, ...state } = environmentOf(this.state, environment);
    this.#changeLive(environment, plan ? { ...state, plan } : state, tell);
  }

  #changeLive(environment: string, after: StateInEnvironment, tell: () => void): void {
    const isLastGone = hasEnabled(environmentOf(this.state, environment)) && !hasEnabled(after);
    this.state = withEnvironmentState(this.state, environment, after);
    tell();
    if (isLastGone) this.switchOff(environment);
  }

  /** Switches the feature on; without an enabled strategy, it gets one. */
  switchOn(environment: string, buildStrategy: () => Strategy): void {
    if (!hasEnabled(environmentOf(this.state, environment))) this.addStrategy(environment, buildStrategy());
    const state = environmentOf(this.state, environment);
    if (state.enabled) return;
    this.state = withEnvironmentState(this.state, environment, { ...state, enabled: true });
    this.tell('feature-environment-enabled', { environment });
  }

  addStrategy(environment: string, strategy: Strategy): void {
    const state = environmentOf(this.state, environment);
    const strategies = [...state.strategies, strategy];
    this.state = withEnvironmentState(this.state, environment, { ...state, strategies });
    this.tell('feature-strategy-add', { environment, data: shownStrategy(strategy) });
  }

  changeVariants(environment: string, variants: readonly FeatureVariant[]): void {
    const state = environmentOf(this.state, environment);
    if (isDeepStrictEqual(variants, state.variants)) return;
    this.state = withEnvironmentState(this.state, environment, { ...state, variants });
    const [data, preData] = [{ variants }, { variants: state.variants }];
    this.tell('feature-environment-variants-updated', { environment, data, preData });
  }

  addTag(value: string): void {
    const tag = { value, type: 'simple' };
    if (this.state.tags.some((other) => other.value === value)) return;
    this.state = { ...this.state, tags: [...this.state.tags, tag] };
    this.tell('feature-tagged', { data: tag });
  }

  removeTag(value: string): void {
    this.state = { ...this.state, tags: this.state.tags.filter((tag) => tag.value !== value) };
    this.tell('feature-untagged', { preData: { value, type: 'simple' } });
  }
}

export function hasEnabled(state: StateInEnvironment): boolean {
  return listLiveStrategies(state).some(({ disabled }) => !disabled);
}

/** Returns a strategy as events show it. */
export function shownStrategy({ featureName: _featureName, ...strategy }: Strategy): Record<string, unknown> {
  return strategy;
}
