import { writeFile } from 'node:fs/promises';
import type { PlannedKind } from '../../../lib/imports/migration/plan.ts';
import type { SourceContent } from '../../../lib/imports/migration/source.ts';
import { describeError, Problem } from '../../problem.ts';
import { formatCount, type Verdict } from '../command.ts';
import { startProgress } from '../progress.ts';
import { assertNoStore } from '../whole-file.ts';
import { sdkTokensIn } from './compare/choose-tokens.ts';
import { type Comparison, compareServers } from './compare/compare-servers.ts';
import { buildReportPage } from './report-page.ts';

/** A migration to compare. */
interface Migration {
  readonly from: URL;
  readonly to: URL;
  readonly source: SourceContent;
  /** The plan for everything that has not been moved yet. */
  readonly kinds: readonly PlannedKind[];
  readonly maxDecisions: number;
  /** The file of the report. */
  readonly report?: string | undefined;
}

const maxShown = 10;

/**
 * Compares the old server and the new one as SDKs see them, prints the differences, and writes a report if `report` is set.
 * @throws Problem if a server cannot be reached, or the report cannot be written.
 */
export async function compareMoved({ from, to, source, kinds, maxDecisions, report }: Migration): Promise<Verdict> {
  // Checked before the comparison, which takes minutes.
  if (report !== undefined) assertNoStore(report);
  const { lists, projects } = source;
  using progress = startProgress('Flags compared');
  const comparison = await compareServers({
    source: from,
    target: to,
    tokens: sdkTokensIn(lists.tokens),
    environments: lists.environments.map(({ name }) => String(name)),
    projects: projects.map(({ id }) => id),
    maxDecisions,
    onCompared: () => progress.advance(),
  });
  progress[Symbol.dispose]();
  for (const line of linesOf(comparison)) console.log(line);
  if (report !== undefined) {
    const origin = { ...source, url: from.href };
    const page = buildReportPage({ source: origin, target: to.href, at: new Date(), kinds, comparison });
    await writeFile(report, page, { mode: 0o600 }).catch((error: unknown) => {
      throw new Problem(`${report} cannot be written: ${describeError(error)}.`);
    });
  }
  return verdictOf(comparison);
}

function linesOf({ environments, refused, notCompared }: Comparison): string[] {
  const differing = environments.flatMap(({ name, divergences }) =>
    divergences.map(({ flag, difference, examples: [first] }) => {
      const example =
        first &&
        `, for example for ${JSON.stringify(first.context)}: old ${JSON.stringify(first.source)}, new ${JSON.stringify(first.target)}`;
      return `${flag} in ${name} ${difference}${example ?? ''}`;
    }),
  );
  const more = differing.length - maxShown;
  return [
    ...differing.slice(0, maxShown),
    ...(more > 0 ? [`and ${more} more flags; --report lists all`] : []),
    ...refused.map((token) => `The new server refuses the token ${token}`),
    ...notCompared.map((reason) => `Not compared: ${reason}`),
  ];
}

function verdictOf({ environments, decisions, users, tokens, refused }: Comparison): Verdict {
  const flags = environments.reduce((sum, { divergences }) => sum + divergences.length, 0);
  const format = (amount: number) => amount.toLocaleString('en-US');
  return {
    passed: flags === 0 && refused.length === 0 && decisions > 0,
    summary:
      `${format(decisions)} evaluations of the flags of ${formatCount(environments.length, 'environment')}, with values around their ` +
      `constraints and for ${format(users)} users. Flags that differ: ${format(flags)}. Refused tokens: ${format(refused.length)} of ${format(tokens)}.`,
  };
}
