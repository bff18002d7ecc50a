import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { StrategyView } from '../../features/strategies/strategy-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import {
  addFeatureStrategy,
  deleteFeatureStrategy,
  setStrategySortOrder,
  updateFeatureStrategy,
} from '../calls/strategies.ts';
import type { FlagChange } from '../change/change-way.ts';
import { placeOf } from '../change/place-of.ts';
import { toDraft, toStrategyBody } from '../strategy/draft.ts';
import { describeStrategy } from '../words/events.ts';

/** A strategy of a flag, where a change is about to be made. */
export interface StrategyPlace {
  readonly flag: ConsoleFlag;
  readonly environment: FeatureEnvironmentView;
  readonly strategy: StrategyView;
}

/** Returns the common parts of all changes of a strategy. */
function describeBase({ flag, environment, strategy }: StrategyPlace) {
  const { project, name: feature } = flag.feature;
  const strategiesIn = (changed: ConsoleFlag) =>
    changed.feature.environments.find(({ name }) => name === environment.name)?.strategies ?? [];
  return {
    feature,
    inEnvironment: environment.name,
    quoted: `“${describeStrategy(strategy)}”`,
    isProduction: environment.type === 'production',
    place: placeOf(flag, environment.name),
    values: { projectId: project, featureName: feature, environment: environment.name, strategyId: strategy.id },
    own: (changed: ConsoleFlag) => strategiesIn(changed).find(({ id }) => id === strategy.id),
    all: (changed: ConsoleFlag) => strategiesIn(changed).map(({ id, sortOrder }) => [id, sortOrder]),
  };
}

/** Removes a strategy. */
export function removeStrategy(where: StrategyPlace): FlagChange {
  const { feature, inEnvironment, quoted, place, values, own } = describeBase(where);
  const isLast = where.environment.strategies.filter(({ disabled }) => !disabled).length === 1;
  return {
    place,
    title: `Remove ${quoted} of ${feature} in ${inEnvironment}?`,
    verb: 'Remove',
    isDanger: true,
    isAsked: true,
    effect:
      isLast && !where.strategy.disabled
        ? `It is the last strategy: ${feature} goes off in ${inEnvironment} within seconds.`
        : 'Users whom no other strategy matches get off within seconds.',
    request: { feature, action: 'deleteStrategy', payload: { id: where.strategy.id } },
    send: (ifMatch) => deleteFeatureStrategy(values, { ifMatch }),
    part: own,
    done: `Removed ${quoted} in ${inEnvironment}`,
    undo: () => addFeatureStrategy(values, { body: toStrategyBody(toDraft(where.strategy)) }),
  };
}

/** Switches a strategy off, or on again, and leaves the flag as it is. */
export function switchStrategy(where: StrategyPlace): FlagChange {
  const { feature, inEnvironment, quoted, isProduction, place, values, own } = describeBase(where);
  const disabled = !where.strategy.disabled;
  const word = disabled ? 'off' : 'on';
  const body = toStrategyBody(toDraft(where.strategy));
  return {
    place,
    title: `Switch ${quoted} of ${feature} ${word} in ${inEnvironment}?`,
    verb: `Switch ${word} now`,
    isDanger: disabled,
    isAsked: isProduction,
    effect: disabled
      ? 'Users whom no other strategy matches get off within seconds.'
      : 'Users whom it matches get the flag within seconds, if the flag is on.',
    request: { feature, action: 'updateStrategy', payload: { ...body, disabled, id: where.strategy.id } },
    send: (ifMatch) => updateFeatureStrategy(values, { body: { ...body, disabled }, ifMatch }),
    part: own,
    done: `Switched ${quoted} ${word} in ${inEnvironment}`,
    undo: () => updateFeatureStrategy(values, { body }),
  };
}

/** Moves a strategy up or down. @param by -1 or 1. */
export function moveStrategy(where: StrategyPlace, by: -1 | 1): FlagChange {
  const { feature, inEnvironment, quoted, isProduction, place, values, all } = describeBase(where);
  const before = where.environment.strategies.map(({ id }) => id);
  const index = before.indexOf(where.strategy.id);
  const after = before.toSpliced(index, 1).toSpliced(index + by, 0, where.strategy.id);
  const toOrder = (ids: readonly string[]) => ids.map((id, sortOrder) => ({ id, sortOrder }));
  return {
    place,
    title: `Move ${quoted} of ${feature} ${by < 0 ? 'up' : 'down'} in ${inEnvironment}?`,
    verb: 'Move',
    isAsked: isProduction,
    effect: 'The same users get the flag. Those whom several strategies match get the variant of the first one.',
    request: { feature, action: 'reorderStrategy', payload: toOrder(after) },
    send: (ifMatch) => setStrategySortOrder(values, { body: toOrder(after), ifMatch }),
    part: all,
    done: `Moved ${quoted} ${by < 0 ? 'up' : 'down'}`,
    undo: () => setStrategySortOrder(values, { body: toOrder(before) }),
  };
}

/** Copies a strategy to another environment, where it comes last. */
export function copyStrategy(where: StrategyPlace, target: FeatureEnvironmentView): FlagChange {
  const { feature, quoted, values } = describeBase(where);
  const body = toStrategyBody(toDraft(where.strategy));
  const place = placeOf(where.flag, target.name);
  return {
    place,
    title: `Copy ${quoted} of ${feature} to ${target.name}?`,
    verb: 'Copy',
    isAsked: target.type === 'production',
    effect: target.enabled
      ? `${feature} is on in ${target.name}: users whom the strategy matches get it within seconds.`
      : `${feature} is off in ${target.name}, and stays off.`,
    request: { feature, action: 'addStrategy', payload: body },
    send: (ifMatch) => addFeatureStrategy({ ...values, environment: target.name }, { body, ifMatch }),
    part: () => undefined,
    done: `Copied ${quoted} to ${target.name}`,
  };
}
