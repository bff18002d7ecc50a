import { writeFile } from 'node:fs/promises';
import type { PlannedKind } from '../../../lib/imports/migration/plan.ts';
import type { SourceContent } from '../../../lib/imports/migration/source.ts';
import { describeError, Problem } from '../../problem.ts';
import { formatCount, type Verdict } from '../command.ts';
import { startProgress } from '../progress.ts';
import { assertNoStore } from '../whole-file.ts';
import { sdkTokensIn } from './compare/choose-tokens.ts';
import { type Comparison, compareServers } from './compare/compare-servers.ts';
import { reportPage } from './report-page.ts';

/** A migration that is to be judged. */
interface Moved {
  readonly from: URL;
  readonly to: URL;
  readonly source: SourceContent;
  /** The plan for whatever is not here yet. */
  readonly kinds: readonly PlannedKind[];
  readonly decisionsMax: number;
  /** The file of the report. */
  readonly report?: string | undefined;
}

const shownMax = 10;

/**
 * Compares the old server and the new one as SDKs see them, prints the differences, and keeps a report where one is wanted.
 * @throws Problem where a server is out of reach, or the report cannot be written.
 */
export async function compareMoved({ from, to, source, kinds, decisionsMax, report }: Moved): Promise<Verdict> {
  // Before the comparison, which takes minutes.
  if (report !== undefined) assertNoStore(report);
  const { lists, projects } = source;
  using progress = startProgress('Flags compared');
  const comparison = await compareServers({
    source: from,
    target: to,
    tokens: sdkTokensIn(lists.tokens),
    environments: lists.environments.map(({ name }) => String(name)),
    projects: projects.map(({ id }) => id),
    decisionsMax,
    onCompared: () => progress.advance(),
  });
  progress[Symbol.dispose]();
  for (const line of linesOf(comparison)) console.log(line);
  if (report !== undefined) {
    const shown = { ...source, url: from.href };
    const page = reportPage({ source: shown, target: to.href, at: new Date(), kinds, comparison });
    await writeFile(report, page, { mode: 0o600 }).catch((error: unknown) => {
      throw new Problem(`${report} cannot be written: ${describeError(error)}.`);
    });
  }
  return verdictOf(comparison);
}

function linesOf({ environments, refused, notCompared }: Comparison): string[] {
  const differing = environments.flatMap(({ name, divergences }) =>
    divergences.map(({ flag, what, examples: [first] }) => {
      const example =
        first &&
        `, such as for ${JSON.stringify(first.context)}: there ${JSON.stringify(first.source)}, here ${JSON.stringify(first.target)}`;
      return `${flag} in ${name} ${what}${example ?? ''}`;
    }),
  );
  const more = differing.length - shownMax;
  return [
    ...differing.slice(0, shownMax),
    ...(more > 0 ? [`and ${more} flags more, which --report lists`] : []),
    ...refused.map((each) => `The new server refuses the token ${each}`),
    ...notCompared.map((each) => `Not compared: ${each}`),
  ];
}

function verdictOf({ environments, decisions, users, tokens, refused }: Comparison): Verdict {
  const flags = environments.reduce((sum, { divergences }) => sum + divergences.length, 0);
  const number = (amount: number) => amount.toLocaleString('en-US');
  return {
    passed: flags === 0 && refused.length === 0 && decisions > 0,
    summary:
      `${number(decisions)} decisions about the flags of ${formatCount(environments.length, 'environment')}, with values around their ` +
      `constraints and for ${number(users)} users. Flags that differ: ${number(flags)}. Tokens that are refused: ${number(refused.length)} of ${number(tokens)}.`,
  };
}
