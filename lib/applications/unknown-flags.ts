import * as partitions from '../table/partitions.ts';
import { queryAll } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { seenApplications } from './applications.ts';

interface UnknownFlagItem {
  readonly sk: string;
  readonly lastSeenAt: string;
  readonly expiresAtSeconds: number;
}

/** A flag that is not there, and who has asked for it. */
export interface UnknownFlag {
  readonly name: string;
  readonly lastSeenAt: string;
  readonly reports: readonly {
    readonly appName: string;
    readonly environments: readonly { readonly environment: string; readonly seenAt: string }[];
  }[];
}

/** The flags that applications have asked for lately and that their tokens do not know, by name. */
export async function listUnknownFlags(table: Table): Promise<UnknownFlag[]> {
  const items = await queryAll<UnknownFlagItem>(table, partitions.unknownFlags());
  const now = Date.now() / 1_000;
  const all = items
    .filter(({ expiresAtSeconds }) => expiresAtSeconds > now)
    .map(({ sk, lastSeenAt }) => {
      const [name = '', environment = '', ...rest] = sk.split('#');
      return { name, environment, appName: rest.join('#'), seenAt: lastSeenAt };
    });
  const seen = await seenApplications(
    table,
    all.map(({ appName }) => appName),
  );
  const shown = all.filter(({ appName }) => seen.has(appName));
  return [...Map.groupBy(shown, ({ name }) => name)].map(([name, reports]) => ({
    name,
    lastSeenAt:
      reports
        .map(({ seenAt }) => seenAt)
        .toSorted()
        .at(-1) ?? '',
    reports: [...Map.groupBy(reports, ({ appName }) => appName)].map(([appName, places]) => ({
      appName,
      environments: places.map(({ environment, seenAt }) => ({ environment, seenAt })),
    })),
  }));
}
