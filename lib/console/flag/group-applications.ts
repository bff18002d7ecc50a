import type { ConsoleFlag } from '../../screens/flag-schema.ts';

/** An application that has asked for a flag, in all its environments. */
export interface FlagUser {
  readonly name: string;
  readonly calls: number;
  readonly sdks: readonly string[];
  /** The environments that it asks in. */
  readonly environments: readonly { readonly environment: string; readonly instances: number }[];
}

/** Groups the entries of each application, those with the most calls first. */
export function groupApplications(applications: ConsoleFlag['applications']): FlagUser[] {
  return [...Map.groupBy(applications, ({ name }) => name)]
    .map(([name, entries]) => ({
      name,
      calls: entries.reduce((sum, { calls }) => sum + calls, 0),
      sdks: [...new Set(entries.flatMap(({ sdk }) => sdk?.replace(':', ' ') ?? []))],
      environments: entries.map(({ environment, instances }) => ({ environment, instances })),
    }))
    .toSorted((a, b) => b.calls - a.calls);
}
