import { isDeepStrictEqual } from 'node:util';
import type { AnsweredCall, Facts } from '../history.ts';
import { environmentOf } from '../model/feature.ts';
import type { Anomaly } from './anomaly.ts';
import type { FeatureLine } from './feature-line.ts';
import type { Projects } from './projects.ts';

interface ListedEnvironment {
  readonly name: string;
  readonly type: string;
  readonly sortOrder: number;
  readonly projectCount: number;
  readonly enabledToggleCount: number;
}

/** Holds the counts of an environments list to what they can have been while it was asked for. */
export function checkEnvironments(
  call: AnsweredCall,
  { environments }: Facts,
  lines: readonly FeatureLine[],
  projects: Projects,
): Anomaly[] {
  if (call.request.kind !== 'read environments' || call.answer.status !== 200) return [];
  const listed: readonly ListedEnvironment[] = call.answer.body.environments;
  const known = listed.map(({ name, type, sortOrder }) => ({ name, type, sortOrder }));
  if (!isDeepStrictEqual(known, environments)) {
    return [{ message: `Call ${call.number} did not list all environments in their order.`, calls: [call] }];
  }
  return listed.flatMap(({ name, projectCount, enabledToggleCount }) => [
    ...outside(call, `projectCount of ${name}`, projectCount, projects.countRange(call, name)),
    ...outside(call, `enabledToggleCount of ${name}`, enabledToggleCount, enabledRange(call, name, lines)),
  ]);
}

function enabledRange(
  call: AnsweredCall,
  environment: string,
  lines: readonly FeatureLine[],
): readonly [number, number] {
  const possible = lines.map(({ timeline }) =>
    timeline
      .possible(call)
      .map(({ value: { state } }) => state !== undefined && environmentOf(state, environment).enabled),
  );
  return [
    possible.filter((values) => values.every(Boolean)).length,
    possible.filter((values) => values.some(Boolean)).length,
  ];
}

function outside(call: AnsweredCall, what: string, count: number, [least, most]: readonly [number, number]): Anomaly[] {
  if (least <= count && count <= most) return [];
  const range = least === most ? `${least}` : `between ${least} and ${most}`;
  return [{ message: `Call ${call.number} found ${count} as ${what}, which was ${range}.`, calls: [call] }];
}

/** Holds an archive list to its order and to the features that there are. */
export function archiveAnomalies(call: AnsweredCall): Anomaly[] {
  const { request, answer } = call;
  if (request.kind !== 'read archive' || answer.status !== 200) return [];
  const listed: readonly { name: string; archivedAt: string }[] = answer.body.features;
  const places = listed.map(({ name, archivedAt }) => `${archivedAt} ${name}`);
  const isOrdered = places.every((place, index) => index === 0 || place < (places[index - 1] ?? ''));
  if (isOrdered && new Set(listed.map(({ name }) => name)).size === listed.length) return [];
  return [
    { message: `Call ${call.number} did not list archived features, each once, the latest first.`, calls: [call] },
  ];
}
