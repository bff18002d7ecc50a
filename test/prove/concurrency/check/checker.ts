import { type AnsweredCall, type History, outcomeOf } from '../history.ts';
import type { Anomaly } from './anomaly.ts';
import { Authors } from './authors.ts';
import { answers, claimOf, isWanted, type Knowledge } from './claims.ts';
import { type FeatureLine, followEvents } from './feature-line.ts';
import { archiveAnomalies, checkEnvironments } from './lists.ts';
import { asOneCall, refusedRepeats } from './one-call.ts';
import { Projects } from './projects.ts';
import { checkServiceEvents } from './service-events.ts';

/**
 * Finds everything impossible in a history, provided that each call took effect at one moment between its begin and its
 * end, and made exactly its events: no order of the calls explains it.
 */
export function check(history: History): Anomaly[] {
  const { facts, featureEvents, serviceEvents } = history;
  const repeats = asOneCall(history.calls);
  const calls = repeats.calls.toSorted((a, b) => a.begin - b.begin);
  const authors = new Authors(calls, [...[...featureEvents.values()].flat(), ...serviceEvents]);
  const projects = new Projects({ ...history, calls }, authors);
  const defaultStrategies = (call: AnsweredCall) => projects.defaultStrategies(call);
  const happened = (call: AnsweredCall) => outcomeOf(call) === 'done' || authors.eventsOf(call).length > 0;

  const lines = facts.features.map(({ name }) =>
    followEvents(name, featureEvents.get(name) ?? [], { facts, authors, defaultStrategies }),
  );
  const clones = new Map(
    lines.flatMap(({ timeline }) =>
      timeline.versions.map(({ value: { state }, madeBy: call }) => [call, state] as const),
    ),
  );
  const madeBy = (call: AnsweredCall) => clones.get(call);
  const followed = lines.filter(({ anomaly }) => anomaly === undefined);
  return [
    // Every answer counts here, also the one before a call was sent again.
    ...history.calls.flatMap((call) => checkStatus(call, history)),
    ...repeats.anomalies,
    ...refusedRepeats(calls, happened),
    ...authors.anomalies,
    ...checkServiceEvents(history, calls, authors),
    ...projects.anomalies,
    ...lines.flatMap(({ anomaly }) => anomaly ?? []),
    ...followed.flatMap((line) => checkAnswers(line, calls, { facts, defaultStrategies, happened, madeBy })),
    ...calls.flatMap((call) => archiveAnomalies(call)),
    // The sum over all features says nothing where one of them is not understood.
    ...(followed.length < lines.length ? [] : calls.flatMap((call) => checkEnvironments(call, facts, lines, projects))),
  ];
}

const expectedRefusals: Readonly<Record<AnsweredCall['request']['kind'], readonly number[]>> = {
  update: [404],
  create: [409],
  archive: [404],
  move: [404, 409],
  clone: [404, 409],
  revive: [404],
  delete: [404],
  variants: [404],
  'add strategy': [400, 404],
  'update strategy': [404],
  'patch strategy': [404],
  'delete strategy': [404],
  'order strategies': [404],
  'add tag': [404],
  'bulk off': [404],
  import: [400, 404],
  on: [400, 404],
  off: [404],
  'add plan': [404, 409],
  'start milestone': [404],
  'pause plan': [404],
  'resume plan': [404],
  'remove plan': [404],
  'time milestone': [400, 404],
  'untime milestone': [404],
  clock: [],
  'default strategy': [404],
  'add environment': [409],
  'read variants': [404],
  'read events': [],
  'read archive': [],
  'read environments': [],
};

/** Statuses of success other than 200. */
const successes: Partial<Record<AnsweredCall['request']['kind'], number>> = {
  ...{ 'add tag': 201, create: 201, clone: 201, archive: 202, 'remove plan': 204 },
};

function checkStatus(call: AnsweredCall, { isFaulty }: History): Anomaly[] {
  const { status, text } = call.answer;
  const isExpected = {
    done: () => status === (successes[call.request.kind] ?? 200),
    refused: () => (status === 412 ? call.ifMatch !== undefined : expectedRefusals[call.request.kind].includes(status)),
    unknown: () => status === 503 && (isFaulty || text.includes('Too many writers')),
  }[outcomeOf(call)]();
  return isExpected ? [] : [{ message: `Call ${call.number} was answered by ${status}: ${text}`, calls: [call] }];
}

/** Holds every answer to what the feature was at some moment while it was asked for. */
function checkAnswers(line: FeatureLine, calls: readonly AnsweredCall[], known: Knowledge): Anomaly[] {
  const { name, timeline } = line;
  const { facts } = known;
  const made = new Map(timeline.versions.map(({ value, madeBy }) => [madeBy, value]));
  return calls.flatMap((call): Anomaly[] => {
    const after = made.get(call);
    if (after !== undefined) {
      if (outcomeOf(call) === 'unknown') return [];
      return outcomeOf(call) === 'done' && answers(call, after, facts) && isWanted(call, { number: after.number - 1 })
        ? []
        : [{ message: `Call ${call.number} did not answer what it did to the feature.`, calls: [call], feature: name }];
    }
    const claim = claimOf(call, line, known);
    if (claim === undefined || timeline.canMeet(call, claim)) return [];
    const message = `Call ${call.number} cannot be explained by what the feature was at any moment of it.`;
    return [{ message, calls: [call], feature: name }];
  });
}
