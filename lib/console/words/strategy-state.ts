type State = Readonly<Record<string, unknown>>;

/**
 * Prepares the state of a strategy for a table of differences: segments have their names, and the group of its hash is left out, which
 * says nothing to people. Other states stay as they are.
 */
export function describeStrategyState(
  state: State,
  segments: readonly { readonly id: number; readonly name: string }[],
): State {
  if (!('parameters' in state)) return state;
  const { groupId: _groupId, ...parameters } = state.parameters as State;
  const nameOf = (id: number) => segments.find((each) => each.id === id)?.name ?? `segment ${id}`;
  const ids = state.segments as readonly number[] | undefined;
  return { ...state, parameters, ...(ids !== undefined && { segments: ids.map(nameOf) }) };
}
