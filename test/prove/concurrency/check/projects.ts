import { isDeepStrictEqual } from 'node:util';
import type { Event } from '../../../../lib/events/event-schema.ts';
import type { StrategyInput } from '../../../../lib/features/strategies/strategy-input-schema.ts';
import { type AnsweredCall, featuresNamed, type History, outcomeOf, type RequestOf } from '../history.ts';
import type { Anomaly } from './anomaly.ts';
import type { Authors } from './authors.ts';
import { blames, isLimit } from './claims.ts';
import { Timeline } from './timeline.ts';

/** An environment in a project: whether it is there, and its default strategy. */
interface ProjectEnvironment {
  readonly project: string;
  readonly environment: string;
  readonly presence: Timeline<boolean>;
  readonly strategy: Timeline<StrategyInput | undefined>;
}

/** State of projects, apart from their features, over the time of a history. */
export class Projects {
  readonly anomalies: Anomaly[] = [];
  readonly #places: readonly ProjectEnvironment[];

  constructor({ facts, serviceEvents, calls }: History, authors: Authors) {
    this.#places = facts.projects.flatMap(({ id, environments }) =>
      facts.environments.map(({ name }) => ({
        project: id,
        environment: name,
        presence: new Timeline(environments.includes(name)),
        strategy: new Timeline<StrategyInput | undefined>(undefined),
      })),
    );
    for (const place of this.#places) this.#follow(place, serviceEvents, authors);
    for (const call of calls.toSorted((a, b) => a.begin - b.begin)) this.#hold(call, authors.eventsOf(call));
  }

  /** Returns the default strategies that an import or a switch can have met. */
  defaultStrategies(call: AnsweredCall): readonly (StrategyInput | undefined)[] {
    const { request } = call;
    if (request.kind !== 'import' && request.kind !== 'on') return [undefined];
    const place = this.#place(request.project, request.environment);
    return place?.strategy.possible(call).map(({ value }) => value) ?? [undefined];
  }

  /** Returns the least and the greatest number of projects that can have had an environment during a call. */
  countRange(call: AnsweredCall, environment: string): readonly [number, number] {
    const ranges = this.#places
      .filter((place) => place.environment === environment)
      .map(({ presence }) => presence.possible(call).map(({ value }) => value));
    return [
      ranges.filter((values) => values.every(Boolean)).length,
      ranges.filter((values) => values.some(Boolean)).length,
    ];
  }

  #place(project: string, environment: string): ProjectEnvironment | undefined {
    return this.#places.find((place) => place.project === project && place.environment === environment);
  }

  #follow({ project, environment, presence, strategy }: ProjectEnvironment, all: readonly Event[], authors: Authors) {
    const events = all.filter((event) => event.project === project && event.environment === environment);
    for (const event of events.filter(({ type }) => type === 'project-environment-added')) {
      const maker = authors.makerOf(event);
      if (maker === undefined) continue;
      if (presence.last.value) this.#report(`The environment ${environment} was added to ${project} twice.`, maker);
      presence.add(true, maker);
    }
    // Their order is that in which each begins where another ended: ids rise per feature only.
    const updates = events.filter(({ type }) => type === 'default-strategy-updated');
    while (updates.length > 0) {
      const index = updates.findIndex(({ preData }) => isDeepStrictEqual(preData ?? undefined, strategy.last.value));
      const [next] = index < 0 ? [] : updates.splice(index, 1);
      const maker = next && authors.makerOf(next);
      if (next === undefined || maker === undefined) {
        const calls = updates.flatMap((event) => authors.makerOf(event) ?? []);
        this.#report(`The default strategies of ${project} in ${environment} do not follow one another.`, ...calls);
        break;
      }
      strategy.add(next.data as unknown as StrategyInput, maker);
    }
    for (const timeline of [presence, strategy]) {
      const reversed = timeline.reversed();
      if (reversed !== undefined) {
        this.#report(`Changes of ${project} in ${environment} stand in the wrong order of time.`, ...reversed);
      }
    }
  }

  /** Holds an answer to what projects can have been when it was given. */
  #hold(call: AnsweredCall, events: readonly Event[]): void {
    const { request } = call;
    const outcome = outcomeOf(call);
    if (!('project' in request) || outcome === 'unknown' || request.kind === 'read archive') return;
    if (request.kind === 'archive') return;
    if (request.kind === 'update' || request.kind === 'create' || request.kind === 'clone') {
      if (outcome === 'done') this.#holdAnswer(call, request.project);
    } else if (request.kind === 'move') {
      this.#holdMove(call, request);
    } else if (request.kind === 'add environment') {
      const isAdded = events.some(({ type }) => type === 'project-environment-added');
      const isRight = outcome === 'done' ? isAdded : this.#canBe(call, request.environment, true);
      if (!isRight) this.#report(`Call ${call.number} got an answer to adding an environment that cannot be.`, call);
    } else if (request.kind === 'default strategy') {
      this.#holdDefaultStrategy(call, request, events);
    } else if (outcome === 'done' || !(isLimit(call) || featuresNamed(request).some((name) => blames(call, name)))) {
      this.#holdPresence(call, request.environment, outcome === 'done');
    }
  }

  #canBe(call: AnsweredCall, environment: string, present: boolean, project?: string): boolean {
    const named = project ?? ('project' in call.request ? call.request.project : '');
    return this.#place(named, environment)?.presence.canMeet(call, (value) => value === present) ?? false;
  }

  #mayHaveBeen(call: AnsweredCall, environment: string, present: boolean, project: string): boolean {
    return this.#place(project, environment)?.presence.mayHaveMet(call, (value) => value === present) ?? false;
  }

  /**
   * Checks a move: a feature goes to projects of the same environments only; a refusal says which of the two has one
   * alone. Of an environment that it does not mention, both have it or neither has.
   */
  #holdMove(call: AnsweredCall, { project, newProject }: RequestOf<'move'>): void {
    const { status, body } = call.answer;
    if (status === 404 || project === newProject) return;
    const reasons: readonly { message: string }[] = body?.details ?? [];
    for (const { environment } of this.#places.filter((place) => place.project === project)) {
      const reason = reasons.find(({ message }) => message.includes(`environment "${environment}"`));
      const isRight =
        reason === undefined
          ? [true, false].some((present) =>
              [project, newProject].every((of) => this.#mayHaveBeen(call, environment, present, of)),
            )
          : [project, newProject].every((of) =>
              this.#canBe(call, environment, reason.message.endsWith(`"${of}".`), of),
            );
      if (!isRight) {
        this.#report(
          `Call ${call.number} cannot have found ${environment} as it says in ${project} and ${newProject}.`,
          call,
        );
      }
    }
  }

  #holdPresence(call: AnsweredCall, environment: string, present: boolean): void {
    if (this.#canBe(call, environment, present)) return;
    this.#report(
      `Call ${call.number} found the environment ${environment} ${present ? 'there' : 'missing'}, which it cannot have been.`,
      call,
    );
  }

  #holdAnswer(call: AnsweredCall, project: string): void {
    const named = new Set(call.answer.body.environments.map(({ name }: { name: string }) => name));
    for (const place of this.#places) {
      if (place.project === project) this.#holdPresence(call, place.environment, named.has(place.environment));
    }
  }

  #holdDefaultStrategy(
    call: AnsweredCall,
    { project, environment, strategy }: { project: string; environment: string; strategy: StrategyInput },
    events: readonly Event[],
  ): void {
    const meant = this.#places.filter(
      (place) => place.project === project && (environment === '*' || environment === place.environment),
    );
    if (outcomeOf(call) === 'refused') {
      for (const place of meant) this.#holdPresence(call, place.environment, false);
      return;
    }
    if (!isDeepStrictEqual(call.answer.body, strategy)) {
      this.#report(`Call ${call.number} did not answer what it was asked to store.`, call);
    }
    for (const place of meant) {
      if (events.some((event) => event.environment === place.environment)) continue;
      const isSpared = environment === '*' && place.presence.possible(call).some(({ value }) => !value);
      if (isSpared || place.strategy.canMeet(call, (value) => isDeepStrictEqual(value, strategy))) continue;
      this.#report(`Call ${call.number} was answered by 200, but set no default strategy and found another.`, call);
    }
  }

  #report(message: string, ...calls: readonly AnsweredCall[]): void {
    this.anomalies.push({ message, calls });
  }
}
