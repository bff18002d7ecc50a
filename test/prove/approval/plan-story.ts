/** An event of a feature with a plan, as the event log shows it. */
export interface PlanEvent {
  readonly id: number;
  readonly type: string;
  readonly createdBy: string;
  readonly groupId?: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly preData: Readonly<Record<string, unknown>> | null;
}

interface Milestone {
  readonly id: string;
  readonly name: string;
  readonly strategies: readonly { readonly id: string; readonly parameters: { readonly rollout?: string } }[];
  readonly transitionCondition?: unknown;
  readonly startedAt?: string;
}

interface Plan {
  readonly milestones: readonly Milestone[];
  readonly activeMilestoneId: string | null;
}

interface Safeguard {
  readonly triggerCondition: { readonly threshold: number };
}

/**
 * The plan of a feature in an environment in which changes need approval, as one knows it who believes nothing but the events. Each event
 * needs an approved request, the plan's own time, or a reason for which nobody has to ask.
 */
export class PlanStory {
  readonly #begin: number;
  #plan: Plan | undefined;
  #isOn = true;
  #isPaused = false;
  #live: ReadonlySet<string>;
  /** The widenings by approved requests, and by the clock. */
  approved = 0;
  timed = 0;
  /** The times that a safeguard acted. */
  stopped = 0;

  /** @param begin the id of the last event before the story. */
  constructor(plan: Plan, begin: number) {
    this.#begin = begin;
    this.#plan = plan;
    this.#live = new Set([plan.activeMilestoneId ?? '']);
  }

  /** The share of users that the plan reaches, in per cent. */
  get reach(): number {
    const { milestones = [], activeMilestoneId } = this.#plan ?? {};
    const active = milestones.find(({ id }) => id === activeMilestoneId);
    return this.#isOn ? Number(active?.strategies[0]?.parameters.rollout ?? 0) : 0;
  }

  /**
   * Goes on with the next event; returns everything that is wrong with it.
   * @param approved the templates that each applied request shows, by its id.
   */
  tell(event: PlanEvent, approved: ReadonlyMap<number, readonly unknown[]>): string[] {
    const { id, type, createdBy, groupId, data } = event;
    if (id <= this.#begin || type.startsWith('change-')) return [];
    const request = Number(/^change-request-(\d+)$/.exec(groupId ?? '')?.[1] ?? 0);
    const isApproved = approved.has(request);
    const isByTime = type === 'release-plan-milestone-started' && data?.isByTime === true;
    const isFree = this.#isFree(event);
    const before = this.reach;
    this.#follow(event);
    this.stopped += Number(type === 'safeguard-triggered');
    const flaws: string[] = [];
    const where = `${type} (${id}) by ${createdBy}`;
    if (!isApproved && !isFree) flaws.push(`${where} needs an approval: ${JSON.stringify(data)}`);
    if (this.reach > before) {
      this.approved += Number(isApproved);
      this.timed += Number(isByTime);
      // A milestone that was live may reach more users than then: its strategies were changed since, with an approval.
      const isReturn = type === 'release-plan-milestone-started' && isFree;
      if (!isApproved && !isReturn) flaws.push(`${where} widens from ${before}% to ${this.reach}%.`);
    }
    if (type === 'release-plan-added' && isApproved && !isCopy(data, approved.get(request) ?? []))
      flaws.push(`${where} is not a copy of the approved template: ${JSON.stringify(data)}`);
    return flaws;
  }

  /** Compares the story with the plan as it is; returns the differences. */
  compare(plan: Plan | undefined, isOn: boolean): string[] {
    const told = [this.#isOn, this.#plan?.activeMilestoneId ?? null];
    const found = [isOn, plan?.activeMilestoneId ?? null];
    if (JSON.stringify(told) === JSON.stringify(found)) return [];
    return [`The events lead to ${JSON.stringify(told)} rather than ${JSON.stringify(found)}.`];
  }

  /** Tells whether nobody has to ask for an event: a person or a safeguard narrows, or the plan moves on in its time. */
  #isFree({ type, data, preData }: PlanEvent): boolean {
    switch (type) {
      case 'release-plan-progressions-paused':
      case 'safeguard-triggered':
        return true;
      case 'safeguard-changed': {
        const [old, next] = [preData, data] as unknown as [Safeguard | null, Safeguard];
        return old === null || next.triggerCondition.threshold <= old.triggerCondition.threshold;
      }
      case 'release-plan-milestone-started': {
        const { milestones = [], activeMilestoneId } = this.#plan ?? {};
        const [from, to] = [activeMilestoneId, data?.milestoneId].map((id) => milestones.findIndex((m) => m.id === id));
        if (from === undefined || to === undefined) return false;
        if (data?.isByTime !== true) return to < from && this.#live.has(String(data?.milestoneId));
        const isTimed = milestones[from]?.transitionCondition !== undefined;
        return to === from + 1 && isTimed && this.#isOn && !this.#isPaused;
      }
      default:
        return false;
    }
  }

  #follow({ type, data, preData }: PlanEvent): void {
    switch (type) {
      case 'feature-environment-enabled':
      case 'feature-environment-disabled':
        this.#isOn = type === 'feature-environment-enabled';
        return;
      case 'release-plan-added':
        this.#plan = data as unknown as Plan;
        this.#isPaused = false;
        this.#live = new Set();
        return;
      case 'release-plan-removed':
        this.#plan = undefined;
        return;
      case 'release-plan-progressions-paused':
      case 'release-plan-progressions-resumed':
        this.#isPaused = type === 'release-plan-progressions-paused';
        return;
      case 'release-plan-milestone-started':
        this.#live = this.#live.union(new Set([String(data?.milestoneId)]));
        if (this.#plan) this.#plan = { ...this.#plan, activeMilestoneId: String(data?.milestoneId) };
        return;
      case 'milestone-progression-changed':
      case 'milestone-progression-deleted': {
        const source = data?.sourceMilestone ?? preData?.sourceMilestone;
        this.#revise((m) => (m.id === source ? { ...m, transitionCondition: data?.transitionCondition } : m));
        return;
      }
      case 'feature-strategy-update':
        this.#revise((milestone) => ({
          ...milestone,
          strategies: milestone.strategies.map((each) => (each.id === data?.id ? { ...each, ...data } : each)),
        }));
    }
  }

  #revise(revise: (milestone: Milestone) => Milestone): void {
    if (this.#plan) this.#plan = { ...this.#plan, milestones: this.#plan.milestones.map(revise) };
  }
}

/** Tells whether a plan has the milestones of one of some templates. */
function isCopy(plan: unknown, templates: readonly unknown[]): boolean {
  const outlineOf = ({ milestones }: Pick<Plan, 'milestones'>) =>
    JSON.stringify(
      milestones.map(({ name, transitionCondition, strategies }) => [
        ...[name, transitionCondition],
        strategies.map(({ parameters }) => parameters.rollout),
      ]),
    );
  return templates.some((template) => outlineOf(template as Plan) === outlineOf(plan as Plan));
}
