import { setTimeout as sleep } from 'node:timers/promises';
import { suspendSchedules } from '../../../lib/change-requests/schedules/suspension.ts';
import { systemUser } from '../../../lib/events/actor.ts';
import { startDueMilestones } from '../../../lib/release-plans/start-due-milestones.ts';
import type { Request } from '../../../lib/request.ts';
import type { IsOver, Recorder } from './client.ts';
import type { AnsweredCall } from './history.ts';

/** The author of what the clock does. */
const clockName = systemUser.name;

/** The time of the service that passes before each run of its clock, and the time that this takes. */
const passedMs = 20_000;
const pauseMs = 50;

interface ClockRuns {
  readonly features: readonly string[];
  readonly recorder: Recorder;
  /** Lets time pass for the service. */
  readonly pass: (milliseconds: number) => void;
}

/** Runs the clock of the service again and again, which starts the milestones that are due. Each run counts as a call that names all features. */
export async function runClocks(
  table: Request,
  { features, recorder, pass }: ClockRuns,
  isOver: IsOver,
): Promise<void> {
  while (!isOver()) {
    pass(passedMs);
    const [begin, beganAt] = [recorder.tick(), Date.now()];
    const now = new Date(beganAt);
    const answer = await startDueMilestones({ ...table, effectsOf: suspendSchedules }, now).then(
      () => ({ status: 200, text: '', body: undefined }),
      // Whatever fails, the next run starts what is left.
      (error: unknown) => ({ status: 503, text: String(error), body: undefined }),
    );
    const request = { kind: 'clock', now: now.toISOString(), features } as const;
    const times = { begin, end: recorder.tick(), beganAt, endedAt: Date.now() };
    const call: AnsweredCall = { number: recorder.calls.length + 1, client: clockName, request, ...times, answer };
    recorder.calls.push(call);
    await sleep(pauseMs);
  }
}
