import '../parts/chip.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Diff } from '../parts/diff.tsx';
import { eventIcon } from '../parts/event-looks.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty } from '../parts/states.tsx';
import { listDifferences } from '../words/differences.ts';
import { countOf } from '../words/numbers.ts';
import { type Effect, tellEffect, tellRequestedEffect } from '../words/requested-changes.ts';
import { describeStrategyState } from '../words/strategy-state.ts';
import { ChangeEffect } from './change-effect.tsx';
import { ChangeList } from './change-list.tsx';
import { groupEffects } from './group-effects.ts';
import { KeptConditions } from './kept-conditions.tsx';
import { countChanges, type PartProps } from './request-parts.ts';

/**
 * The effects of a request, flag by flag. For an open request, they come from the code that applies requests. For a closed one, they
 * are the changes as requested.
 */
export function Changes({ page, path }: PartProps): JSX.Element {
  const { request, preview } = page;
  const [showsPatch, setShowsPatch] = useState(false);
  const isCurrent = preview !== undefined && request.override === undefined;
  const isMade = request.override !== undefined || request.state === 'Applied';
  const groups = useMemo(() => groupEffects(page), [page]);
  const count = countChanges(page);
  const openTitle = isCurrent ? 'What changes' : 'What was asked for';
  return (
    <section aria-labelledby="changes">
      <div class="changes-head">
        <h2 id="changes">
          {isMade ? 'What changed' : openTitle} in {request.environment}
        </h2>
        <span class="muted">
          {countOf(count, 'change')}
          {request.override === undefined && count > 1 && ', applied together or not at all'}
        </span>
        {isCurrent && (
          <fieldset class="chips changes-views">
            <legend class="hidden">View</legend>
            {[false, true].map((isPatch) => (
              <button
                key={String(isPatch)}
                type="button"
                class="chip"
                aria-pressed={showsPatch === isPatch}
                onClick={() => setShowsPatch(isPatch)}
              >
                {isPatch ? 'JSON patch' : 'In words'}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      {isCurrent && showsPatch && <Patches page={page} />}
      {!(isCurrent && showsPatch) && groups.length === 0 && (
        <div class="card">
          <Empty icon="git-pull-request" title="Nothing changes">
            {request.override === undefined
              ? 'This request asks for nothing.'
              : 'Nothing was changed under this override.'}
          </Empty>
        </div>
      )}
      {!(isCurrent && showsPatch) &&
        groups.map(({ flag, effects, made }) => (
          <article key={flag ?? ''} class="card change">
            <header class="change-head">
              <Icon name={flag === undefined ? 'users' : 'flag'} />
              {flag === undefined ? (
                <b class="grow">Segments</b>
              ) : (
                <a class="mono grow" href={`/projects/${request.project}/features/${encodeURIComponent(flag)}`}>
                  {flag}
                </a>
              )}
              {isCurrent && flag !== undefined && made.length > 0 && (
                <ChangeEffect page={page} flag={flag} effects={made} />
              )}
            </header>
            {effects.map(({ effect, note }, index) => (
              <div key={index} class="effect">
                <p>
                  <Icon name={eventIcon(effect.type as Parameters<typeof eventIcon>[0])} />
                  <span>
                    {isMade ? tellEffect(effect) : tellRequestedEffect(effect)}
                    {note !== undefined && <span class="muted"> · {note}</span>}
                  </span>
                </p>
                <KeptConditions effect={effect} />
                <Diff
                  differences={listDifferences(
                    describeState(page, effect.preData),
                    describeState(page, effect.data, effect.preData === null),
                  )}
                />
              </div>
            ))}
            <ChangeList page={page} path={path} flag={flag} />
          </article>
        ))}
    </section>
  );
}

/** Prepares a state for the table of differences. The sentence already has the name of a strategy or a plan. */
function describeState({ segments }: PartProps['page'], state: Effect['data'], isNew = false): Effect['data'] {
  if (state !== null && 'milestones' in state) return { milestones: state.milestones };
  if (state === null || !('parameters' in state)) return state;
  const { name: _name, title, ...others } = state;
  return { ...describeStrategyState(others, segments), ...(!isNew && { title }) };
}

/** The effects as JSON Patches, one for each flag and segment. */
function Patches({ page: { preview, request } }: { readonly page: PartProps['page'] }): JSX.Element {
  const segmentName = (id: number) => request.segments.find((each) => each.id === id)?.name ?? `segment ${id}`;
  const patches = [
    ...(preview?.features ?? []).map(({ name, patch }) => ({ name, patch })),
    ...(preview?.segments ?? []).map(({ id, patch }) => ({ name: segmentName(id), patch })),
  ];
  return (
    <>
      {patches.map(({ name, patch }) => (
        <article key={name} class="card change">
          <header class="change-head">
            <b class="mono">{name}</b>
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keyboard */}
          <pre class="change-patch" tabIndex={0}>
            {patch.map((operation) => JSON.stringify(operation, null, 1).replaceAll(/\n\s*/g, ' ')).join('\n') || '[]'}
          </pre>
        </article>
      ))}
    </>
  );
}
