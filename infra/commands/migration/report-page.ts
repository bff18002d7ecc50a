import type { PlannedKind } from '../../../lib/imports/migration/plan.ts';
import type { SourceContent } from '../../../lib/imports/migration/source.ts';
import { type Html, html } from '../../../lib/pages/html.ts';
import { page } from '../../../lib/pages/page.ts';
import { style } from '../../../lib/pages/plain-page.ts';
import type { ComparedEnvironment, Comparison } from './compare/compare-servers.ts';

/** The facts about a migration that are to be kept. */
export interface MigrationReport {
  readonly source: Pick<SourceContent, 'version' | 'missing'> & { readonly url: string };
  readonly target: string;
  readonly at: Date;
  /** The plan for whatever is not here yet. */
  readonly kinds: readonly PlannedKind[];
  readonly comparison: Comparison;
}

const tables = `
body { max-width: 60rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: 0.2rem 1rem 0.2rem 0; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
thead th, caption { border-bottom: 1px solid light-dark(#c8ccd2, #4a4f59); }
code { overflow-wrap: anywhere; }
`;

// The page is a file, which no server sends with its policy.
const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:`;

const number = new Intl.NumberFormat('en').format;

/** Returns the report of a migration as a page that stands for itself, without a script. */
export function reportPage({ source, target, at, kinds, comparison }: MigrationReport): string {
  const body = html`<main>
<h1>Moved from Unleash</h1>
<p>From <code>${source.url}</code> (Unleash ${source.version}) to <code>${target}</code> (Flagstaff), as of ${at.toISOString()}.</p>
${verdict(comparison)}
${counts(kinds)}
${remarksOf('What cannot move', kinds, 'refused')}
${remarksOf('What to know', kinds, 'remarks')}
${section(
  'What the old server does not show',
  source.missing.map(({ path, consequence }) => html`<li><code>${path}</code>: ${consequence}</li>`),
)}
${compared(comparison)}
</main>`;
  const head = `\n<meta http-equiv="content-security-policy" content="${policy}">`;
  return page({ title: 'Moved from Unleash', head, style: style + tables, body: body.text }).html;
}

function verdict({ environments, decisions, refused, notCompared }: Comparison): Html {
  const flags = sumOf(environments, ({ divergences }) => divergences.length);
  const isSame = flags === 0 && refused.length === 0;
  const found = isSame
    ? html`SDKs decide alike with both servers: ${number(decisions)} decisions, no difference.`
    : html`SDKs would notice the move. Flags that differ: ${number(flags)}; tokens that are refused: ${number(refused.length)}.`;
  const rest = notCompared.length > 0 ? ' Not all could be compared: see below.' : '';
  return html`<p><strong>${found}</strong>${rest}</p>`;
}

function counts(kinds: readonly PlannedKind[]): Html {
  const rows = kinds
    .map(({ kind, left, created, changed, refused }) => ({
      kind,
      amounts: [left, created, changed, refused].map(({ length }) => length),
    }))
    .filter(({ amounts }) => amounts.some((amount) => amount > 0))
    .map(
      ({ kind, amounts }) =>
        html`<tr><th scope="row">${kind}</th>${cells([sumOf(amounts, (amount) => amount), ...amounts])}</tr>`,
    );
  return html`<h2>What moved</h2>
<table>
<thead><tr><th scope="col">Kind</th>${columns(['There', 'Here alike', 'Not here', 'Differ', 'Cannot move'])}</tr></thead>
<tbody>
${rows}
</tbody>
</table>`;
}

/** Lists the remarks on things, by kind and reason. */
function remarksOf(title: string, kinds: readonly PlannedKind[], which: 'refused' | 'remarks'): Html {
  const all = kinds.flatMap((planned) => planned[which].map((remark) => ({ ...remark, kind: planned.kind })));
  const alike = [...Map.groupBy(all, ({ kind, reason }) => `${kind}: ${reason}`)];
  return section(
    title,
    alike.map(([what, remarks]) => html`<li>${what}<br>${remarks.map(({ name }) => html`<code>${name}</code> `)}</li>`),
  );
}

function compared({ environments, refused, notCompared, users, tokens }: Comparison): Html {
  const rows = environments.map(
    ({ name, flags, decisions, divergences, tokens: asked }) =>
      html`<tr><th scope="row">${name}</th>${cells([flags, decisions, divergences.length])}<td>${asked.join(', ')}</td></tr>`,
  );
  return html`<h2>What SDKs get</h2>
<p>The engine of Unleash’s own Node SDK evaluated each flag with what both servers deliver to the same tokens, for values
that satisfy its constraints or just do not, and for ${number(users)} users. Tokens of SDKs that were tried on the new server: ${number(tokens)}.</p>
<table>
<thead><tr><th scope="col">Environment</th>${columns(['Flags', 'Decisions', 'Flags that differ'])}<th scope="col">Read by the tokens</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
${section(
  'Tokens that the new server refuses',
  refused.map((each) => html`<li>${each}</li>`),
)}
${section('What differs', environments.flatMap(differing))}
${section(
  'What could not be compared',
  notCompared.map((each) => html`<li>${each}</li>`),
)}`;
}

function differing({ name, divergences }: ComparedEnvironment): Html[] {
  return divergences.map(({ flag, what, examples }) => {
    const decisions = examples.map(
      ({ context, source, target }) =>
        html`<br>For <code>${JSON.stringify(context)}</code>: there <code>${JSON.stringify(source)}</code>, here <code>${JSON.stringify(target)}</code>`,
    );
    return html`<li><code>${flag}</code> in ${name} ${what}.${decisions}</li>`;
  });
}

function section(title: string, items: readonly Html[]): Html {
  return items.length === 0 ? html`` : html`<h2>${title}</h2>\n<ul>\n${items}\n</ul>`;
}

function columns(titles: readonly string[]): Html[] {
  return titles.map((title) => html`<th scope="col" class="number">${title}</th>`);
}

function cells(numbers: readonly number[]): Html[] {
  return numbers.map((each) => html`<td class="number">${number(each)}</td>`);
}

function sumOf<T>(all: readonly T[], of: (each: T) => number): number {
  return all.reduce((sum, each) => sum + of(each), 0);
}
