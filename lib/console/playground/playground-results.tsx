import '../parts/filters.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PlaygroundAnswer } from '../calls/playground.ts';
import { SearchField } from '../parts/field.tsx';
import { useMoreRows } from '../parts/more-rows.ts';
import { Pill } from '../parts/small.tsx';
import { Banner, Empty } from '../parts/states.tsx';
import { describeVerdict } from '../why/reasons.ts';
import { Traces } from '../why/trace.tsx';
import { countOf } from '../words/numbers.ts';

type FlagAnswer = PlaygroundAnswer['features'][number];
type Verdict = FlagAnswer['environments'][string][number];

/** The answers of the playground: each flag with its verdict in each environment, and the reasons folded away. */
export function PlaygroundResults({ answer }: { readonly answer: PlaygroundAnswer }): JSX.Element {
  const [search, setSearch] = useState('');
  const found = answer.features.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const { count, end } = useMoreRows(found.length);
  const ignored = answer.warnings?.invalidContextProperties ?? [];
  return (
    <section aria-label="Results" class="playground-results">
      {ignored.length > 0 && (
        <Banner tone="warn" icon="triangle-alert" title="Some fields were ignored">
          {ignored.join(', ')}
        </Banner>
      )}
      <div class="filters">
        <SearchField label="Search results" value={search} onInput={setSearch} />
        <span class="filters-total" role="status">
          {countOf(found.length, 'flag')}
        </span>
      </div>
      {found.length === 0 ? (
        <div class="card">
          <Empty icon="search" title="No flag matches">
            Try another word, other projects or other environments.
          </Empty>
        </div>
      ) : (
        <ul class="card playground-flags">
          {found.slice(0, count).map((flag) => (
            <Flag key={flag.name} flag={flag} />
          ))}
        </ul>
      )}
      <div ref={end} />
    </section>
  );
}

function Flag({ flag: { name, projectId, environments } }: { readonly flag: FlagAnswer }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div class="playground-flag">
        <a class="mono grow" href={`/projects/${projectId}/features/${name}`}>
          {name}
        </a>
        {Object.entries(environments).map(([environment, verdicts]) => (
          <span key={environment} class="playground-verdict">
            <small>{environment}</small>
            <Summary verdicts={verdicts} />
          </span>
        ))}
      </div>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Why</summary>
        {isOpen &&
          Object.entries(environments).flatMap(([environment, verdicts]) =>
            verdicts.map((verdict) => (
              <Reasons
                key={`${environment} ${JSON.stringify(verdict.context)}`}
                environment={environment}
                verdict={verdict}
                isOne={verdicts.length === 1}
              />
            )),
          )}
      </details>
    </li>
  );
}

/** Returns the strategies of an answer with their results. */
function listExplained({ strategies }: Verdict) {
  return strategies.data.map(({ constraints, segments, result, ...strategy }) => ({
    strategy,
    result,
    constraints,
    segments,
  }));
}

/** Judges an answer: where chance decides, it may be another one the next time. */
function judge(verdict: Verdict): ReturnType<typeof describeVerdict> {
  const strategies = listExplained(verdict);
  return describeVerdict({ ...verdict, strategies }, verdict.context, verdict.isEnabledInCurrentEnvironment);
}

function Summary({ verdicts }: { readonly verdicts: readonly Verdict[] }): JSX.Element {
  if (verdicts.some((verdict) => judge(verdict).word === 'Random')) return <Pill tone="warn">By chance</Pill>;
  const on = verdicts.filter(({ isEnabled }) => isEnabled);
  const variants = [...new Set(on.flatMap(({ variant }) => (variant.enabled ? [variant.name] : [])))];
  const share = on.length === verdicts.length ? 'On' : `${on.length} of ${verdicts.length} on`;
  const word = on.length === 0 ? 'Off' : share;
  return (
    <Pill tone={on.length > 0 ? 'on' : undefined}>
      {word}
      {variants.length > 0 && `: ${variants.join(', ')}`}
    </Pill>
  );
}

interface ReasonsProps {
  readonly environment: string;
  readonly verdict: Verdict;
  /** True if the question had one context, which needs no name. */
  readonly isOne: boolean;
}

function Reasons({ environment, verdict, isOne }: ReasonsProps): JSX.Element {
  const { isEnabled, isEnabledInCurrentEnvironment, hasUnsatisfiedDependency, variant, context } = verdict;
  const { word } = judge(verdict);
  const state = isEnabled ? 'on' : 'off';
  const who = Object.entries(context).filter(([name]) => name !== 'appName');
  return (
    <div class="playground-reasons">
      <h2>
        {environment}: {word === 'Random' ? 'by chance' : state}
        {variant.enabled && word !== 'Random' && ` with the variant ${variant.name}`}
      </h2>
      {!isOne && <p class="muted">{who.map(([name, value]) => `${name} ${value}`).join(', ')}</p>}
      {!isEnabledInCurrentEnvironment && <p>The flag is switched off here.</p>}
      {hasUnsatisfiedDependency && <p>A flag that it depends on is not as required.</p>}
      <Traces strategies={listExplained(verdict)} typed={context} />
    </div>
  );
}
