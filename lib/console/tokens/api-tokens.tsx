import '../parts/filters.css';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { here, setQuery } from '../browser/router.ts';
import { searchEvents } from '../calls/events.ts';
import { getAllApiTokens } from '../calls/tokens.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { SearchField } from '../parts/field.tsx';
import { FilterChips } from '../parts/filter-chips.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { countOf } from '../words/numbers.ts';
import { filterTokens, findTokenProblem, type TokenFilters } from './describe-token.ts';
import { TokenTable } from './token-table.tsx';

const shows = [
  ['unused', 'Unused for 30 days'],
  ['expired', 'Expired'],
] as const;

/** The tokens of SDKs. */
export function ApiTokens(): JSX.Element {
  const path = getAllApiTokens({});
  const { value, problem } = useRead(path, 30_000);
  const { value: log } = useRead(searchEvents({}, { type: 'IS:api-token-created', limit: 1_000 }), 120_000);
  const filters = readFilters();
  const all = value?.tokens ?? [];
  const tokens = useMemo(() => filterTokens(all, filters), [all, ...Object.values(filters)]);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(path)} />;
  if (value === undefined) return <Skeleton rows={8} />;
  if (all.length === 0) {
    return (
      <div class="card">
        <Empty
          icon="key-round"
          title="There is no token yet"
          action={<ButtonLink href="/tokens/new">New token</ButtonLink>}
        >
          An application needs one to ask for its flags.
        </Empty>
      </div>
    );
  }
  const environments = [...new Set(all.map(({ environment }) => environment))].toSorted();
  return (
    <>
      <div class="filters">
        <SearchField label="Search tokens" value={filters.search} onInput={(q) => setQuery({ q })} />
        <FilterChips
          choices={shows}
          chosen={filters.show}
          countOf={(show) => all.filter((token) => findTokenProblem(token) === show).length}
        />
        {environments.length > 1 && (
          <select
            class="input choice"
            aria-label="Environment"
            value={filters.environment ?? ''}
            onChange={(event) => setQuery({ environment: event.currentTarget.value })}
          >
            <option value="">Environment</option>
            {environments.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
        <span class="filters-total" role="status">
          {countOf(tokens.length, 'token')}
        </span>
      </div>
      {tokens.length === 0 ? (
        <div class="card">
          <Empty
            icon="search"
            title="No token matches"
            action={
              <Button onClick={() => setQuery({ q: undefined, show: undefined, environment: undefined })}>
                Clear the filters
              </Button>
            }
          >
            Try another word, or fewer filters.
          </Empty>
        </div>
      ) : (
        <TokenTable tokens={tokens} creations={log?.events ?? []} onChanged={() => reload(path)} />
      )}
    </>
  );
}

function readFilters(): TokenFilters {
  const query = new URLSearchParams(here.value.split('?')[1]);
  const show = query.get('show');
  return {
    search: query.get('q') ?? '',
    show: show === 'expired' || show === 'unused' ? show : undefined,
    environment: query.get('environment') || undefined,
  };
}
