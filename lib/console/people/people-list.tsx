import '../parts/filters.css';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { getLogins, getUsers } from '../calls/people.ts';
import { reload, useRead } from '../data/cache.ts';
import { useStart } from '../data/start.ts';
import { Button } from '../parts/button.tsx';
import { SearchField } from '../parts/field.tsx';
import { useMoreRows } from '../parts/more-rows.ts';
import { Ago, Tag } from '../parts/small.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { here, setQuery } from '../shell/router.ts';
import { countOf } from '../words/numbers.ts';
import { accountNamesOf, filterPeople, personNameOf, wayInOf } from '../words/people.ts';
import { AccessRequests } from './access-requests.tsx';

/** Everybody who has an account, with their role and their last sign-in. */
export function PeopleList(): JSX.Element {
  const path = getUsers({});
  const { value, problem } = useRead(path, 30_000);
  const { value: log } = useRead(getLogins({}, { limit: 2_000 }), 120_000);
  const { value: start } = useStart();
  const query = new URLSearchParams(here.value.split('?')[1]);
  const search = query.get('q') ?? '';
  const role = query.get('role') ?? '';
  const people = useMemo(
    () => filterPeople(value?.users ?? [], search).filter(({ rootRole }) => role === '' || String(rootRole) === role),
    [value, search, role],
  );
  const { count, end } = useMoreRows(people.length);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(path)} />;
  if (value === undefined) return <Skeleton rows={8} />;
  return (
    <>
      <AccessRequests roles={value.rootRoles} onAnswered={() => reload(path)} />
      <div class="filters">
        <SearchField label="Search people" value={search} onInput={(q) => setQuery({ q })} />
        <select
          class="input choice"
          aria-label="Role"
          value={role}
          onChange={(event) => setQuery({ role: event.currentTarget.value })}
        >
          <option value="">Role</option>
          {value.rootRoles.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <span class="filters-total" role="status">
          {countOf(people.length, 'person', 'people')}
        </span>
      </div>
      {people.length === 0 ? (
        <div class="card">
          <Empty
            icon="search"
            title="Nobody matches"
            action={<Button onClick={() => setQuery({ q: undefined, role: undefined })}>Clear the filters</Button>}
          >
            Try a part of a name, or of an address.
          </Empty>
        </div>
      ) : (
        <div class="card table-card">
          <Table columns={['Name', 'Role', 'Last sign-in', 'Way in']}>
            {people.slice(0, count).map((person) => (
              <tr key={person.id}>
                <th scope="row">
                  <a href={`/people/${person.id}`}>{personNameOf(person)}</a>{' '}
                  {person.id === start?.user.id && <Tag>You</Tag>}
                  <p>{accountNamesOf(person)}</p>
                </th>
                <td data-label="Role">{value.rootRoles.find(({ id }) => id === person.rootRole)?.name}</td>
                <td data-label="Last sign-in">
                  {person.seenAt === null ? <Tag tone="info">Not yet</Tag> : <Ago time={person.seenAt} />}
                </td>
                <td data-label="Way in">{wayInOf(person, log?.events ?? []) ?? '–'}</td>
              </tr>
            ))}
          </Table>
          <div ref={end} />
        </div>
      )}
    </>
  );
}
