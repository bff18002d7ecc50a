import type { FeatureView } from '../../../../lib/features/feature-schema.ts';
import type { AnsweredCall } from '../history.ts';
import type { Anomaly } from './anomaly.ts';

const strategiesMax = 30;

/** Holds complete features to what is true of every one of them, whatever was done to it. */
export function checkInvariants(call: AnsweredCall): Anomaly[] {
  if (call.request.kind !== 'update' || call.answer.status !== 200) return [];
  const feature: FeatureView = call.answer.body;
  const problems = feature.environments.flatMap(({ name, strategies, variants }) => {
    const orders = strategies.map(({ sortOrder }) => sortOrder);
    const lists = [...strategies.map((strategy) => strategy.variants), variants];
    return [
      ...(strategies.length > strategiesMax ? [`${strategies.length} strategies in ${name}`] : []),
      ...(orders.some((order, index) => order < (orders[index - 1] ?? order))
        ? [`unordered strategies in ${name}`]
        : []),
      ...lists
        .filter((list) => list.length > 0)
        .map((list) => list.reduce((sum, { weight }) => sum + weight, 0))
        .filter((sum) => sum !== 1000)
        .map((sum) => `weights that add up to ${sum} in ${name}`),
    ];
  });
  return problems.map((problem) => ({
    message: `Call ${call.number} was answered with ${problem}.`,
    calls: [call],
    feature: feature.name,
  }));
}
