import type { StrategyView } from '../../features/strategies/strategy-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import type { ShownEvent } from '../../screens/shown-event-schema.ts';
import { type Draft, toDraft } from '../strategy/draft.ts';

/** An earlier state of a strategy that one can go back to. */
export interface EarlierStrategy {
  readonly label: string;
  readonly environment: string;
  /** The strategy as it is now; undefined if it is gone. */
  readonly current: StrategyView | undefined;
  readonly draft: Draft;
}

/** Lists the states of a strategy before and after an event that differ from its state now. */
export function listEarlierStrategies(
  { feature }: Pick<ConsoleFlag, 'feature'>,
  { type, environment, data, preData }: Pick<ShownEvent, 'type' | 'environment' | 'data' | 'preData'>,
): EarlierStrategy[] {
  const state = feature.environments.find(({ name }) => name === environment);
  if (state === undefined || environment === null || !/^feature-strategy-(?:add|update|remove)$/.test(type)) return [];
  const id = (data ?? preData)?.id;
  const current = state.strategies.find((strategy) => strategy.id === id);
  const drafts = [
    { label: 'Go back to this', strategy: data },
    { label: current === undefined ? 'Bring it back' : 'Go back to before this', strategy: preData },
  ];
  const isSame = (draft: Draft) => current !== undefined && toText(toDraft(current)) === toText(draft);
  return drafts.flatMap(({ label, strategy }) => {
    if (strategy === null || !isStrategy(strategy)) return [];
    const draft = toDraft({ ...lists, ...strategy });
    return isSame(draft) ? [] : [{ label, environment, current, draft }];
  });
}

/** Writes a draft; the order of its parameters means nothing. */
function toText({ parameters, ...others }: Draft): string {
  return JSON.stringify([others, Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Events of old versions have no empty lists. */
const lists = { segments: [], constraints: [], variants: [], title: null, disabled: false };

function isStrategy(
  value: Readonly<Record<string, unknown>>,
): value is StrategyView & Readonly<Record<string, unknown>> {
  return typeof value.name === 'string' && typeof value.parameters === 'object';
}
