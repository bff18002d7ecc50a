import type { PlannedKind } from '../../../lib/imports/migration/plan.ts';
import type { SourceContent } from '../../../lib/imports/migration/source.ts';
import { type Html, html } from '../../../lib/pages/html.ts';
import { page } from '../../../lib/pages/page.ts';
import type { ComparedEnvironment, Comparison } from './compare/compare-servers.ts';

/** The content of the report. */
export interface MigrationReport {
  readonly source: Pick<SourceContent, 'version' | 'missing'> & { readonly url: string };
  readonly target: string;
  readonly at: Date;
  /** The plan for everything that has not been moved yet. */
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

const text = `
:root { color-scheme: light dark; background: light-dark(#fff, #16181d); color: light-dark(#1b1e24, #e8eaed); }
a { color: light-dark(#1d4ed8, #93b4ff); }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1.0625rem/1.6 system-ui, sans-serif; }
h1 { line-height: 1.2; }
p, li { overflow-wrap: anywhere; }
code { font-size: 0.95em; }
`;

// The page is a file, so no server can send this policy as a header.
const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:`;

const number = new Intl.NumberFormat('en').format;

/** Returns the report of a migration as a self-contained page without scripts. */
export function buildReportPage({ source, target, at, kinds, comparison }: MigrationReport): string {
  const body = html`<main>
<h1>Moved from Unleash</h1>
<p>From <code>${source.url}</code> (Unleash ${source.version}) to <code>${target}</code> (Flagstaff), as of ${at.toISOString()}.</p>
${buildVerdict(comparison)}
${buildCounts(kinds)}
${buildRemarks('What cannot be moved', kinds, 'refused')}
${buildRemarks('Notes', kinds, 'remarks')}
${buildSection(
  'What the old server does not show',
  source.missing.map(({ path, consequence }) => html`<li><code>${path}</code>: ${consequence}</li>`),
)}
${buildComparison(comparison)}
</main>`;
  const head = `\n<meta http-equiv="content-security-policy" content="${policy}">`;
  return page({ title: 'Moved from Unleash', head, style: text + tables, body: body.text }).html;
}

function buildVerdict({ environments, decisions, refused, notCompared }: Comparison): Html {
  const flags = sumOf(environments, ({ divergences }) => divergences.length);
  const isSame = flags === 0 && refused.length === 0;
  const sentence = isSame
    ? html`SDKs get the same decisions from both servers: ${number(decisions)} evaluations, no difference.`
    : html`SDKs would notice the move. Flags that differ: ${number(flags)}; refused tokens: ${number(refused.length)}.`;
  const rest = notCompared.length > 0 ? ' Some flags could not be compared: see below.' : '';
  return html`<p><strong>${sentence}</strong>${rest}</p>`;
}

function buildCounts(kinds: readonly PlannedKind[]): Html {
  const rows = kinds
    .map(({ kind, unchanged, created, changed, refused }) => ({
      kind,
      amounts: [unchanged, created, changed, refused].map(({ length }) => length),
    }))
    .filter(({ amounts }) => amounts.some((amount) => amount > 0))
    .map(
      ({ kind, amounts }) =>
        html`<tr><th scope="row">${kind}</th>${cells([sumOf(amounts, (amount) => amount), ...amounts])}</tr>`,
    );
  return html`<h2>What moved</h2>
<table>
<thead><tr><th scope="col">Kind</th>${buildHeaders(['On the old server', 'The same here', 'Missing here', 'Different', 'Cannot be moved'])}</tr></thead>
<tbody>
${rows}
</tbody>
</table>`;
}

/** Lists remarks by kind and reason. */
function buildRemarks(title: string, kinds: readonly PlannedKind[], property: 'refused' | 'remarks'): Html {
  const all = kinds.flatMap((planned) => planned[property].map((remark) => ({ ...remark, kind: planned.kind })));
  const groups = [...Map.groupBy(all, ({ kind, reason }) => `${kind}: ${reason}`)];
  return buildSection(
    title,
    groups.map(
      ([reason, remarks]) => html`<li>${reason}<br>${remarks.map(({ name }) => html`<code>${name}</code> `)}</li>`,
    ),
  );
}

function buildComparison({ environments, refused, notCompared, users, tokens }: Comparison): Html {
  const rows = environments.map(
    ({ name, flags, decisions, divergences, tokens: names }) =>
      html`<tr><th scope="row">${name}</th>${cells([flags, decisions, divergences.length])}<td>${names.join(', ')}</td></tr>`,
  );
  return html`<h2>What SDKs get</h2>
<p>The engine of Unleash’s own Node SDK evaluated each flag with the answers of both servers to the same tokens, for values
that satisfy its constraints or almost do, and for ${number(users)} users. SDK tokens tried on the new server: ${number(tokens)}.</p>
<table>
<thead><tr><th scope="col">Environment</th>${buildHeaders(['Flags', 'Evaluations', 'Flags that differ'])}<th scope="col">Read with the tokens</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
${buildSection(
  'Tokens that the new server refuses',
  refused.map((token) => html`<li>${token}</li>`),
)}
${buildSection('Differences', environments.flatMap(buildDifferences))}
${buildSection(
  'What could not be compared',
  notCompared.map((reason) => html`<li>${reason}</li>`),
)}`;
}

function buildDifferences({ name, divergences }: ComparedEnvironment): Html[] {
  return divergences.map(({ flag, difference, examples }) => {
    const decisions = examples.map(
      ({ context, source, target }) =>
        html`<br>For <code>${JSON.stringify(context)}</code>: old <code>${JSON.stringify(source)}</code>, new <code>${JSON.stringify(target)}</code>`,
    );
    return html`<li><code>${flag}</code> in ${name} ${difference}.${decisions}</li>`;
  });
}

function buildSection(title: string, items: readonly Html[]): Html {
  return items.length === 0 ? html`` : html`<h2>${title}</h2>\n<ul>\n${items}\n</ul>`;
}

function buildHeaders(titles: readonly string[]): Html[] {
  return titles.map((title) => html`<th scope="col" class="number">${title}</th>`);
}

function cells(numbers: readonly number[]): Html[] {
  return numbers.map((value) => html`<td class="number">${number(value)}</td>`);
}

function sumOf<T>(all: readonly T[], amountOf: (item: T) => number): number {
  return all.reduce((sum, item) => sum + amountOf(item), 0);
}
