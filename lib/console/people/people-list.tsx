import '../parts/filters.css';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { here, setQuery } from '../browser/router.ts';
import { getLogins, getUsers } from '../calls/people.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { SearchField } from '../parts/field.tsx';
import { useMoreRows } from '../parts/more-rows.ts';
import { Ago, Tag } from '../parts/small.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { accountNamesOf, filterPeople, personNameOf, signInMethodOf } from '../words/people.ts';
import { AccessRequests } from './access-requests.tsx';

/** The most sign-ins that are searched for the method of each person. */
const signInsMax = 2_000;

const peopleEveryMs = 30_000;
const signInsEveryMs = 120_000;

/** The people who have an account, with filters. People who ask for an account come first. */
export function PeopleList(): JSX.Element {
  const path = getUsers({});
  const { value, problem } = useRead(path, peopleEveryMs);
  const { value: signIns } = useRead(getLogins({}, { limit: signInsMax }), signInsEveryMs);
  const { value: start } = useStart();
  const query = new URLSearchParams(here.value.split('?')[1]);
  const search = query.get('q') ?? '';
  const role = query.get('role') ?? '';
  const people = useMemo(
    () => filterPeople(value?.users ?? [], search).filter(({ rootRole }) => role === '' || String(rootRole) === role),
    [value, search, role],
  );
  const { count: shownCount, end } = useMoreRows(people.length);
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
            Search for a part of a name or of an e-mail address.
          </Empty>
        </div>
      ) : (
        <div class="card table-card">
          <Table columns={['Name', 'Role', 'Last sign-in', 'Sign-in method']}>
            {people.slice(0, shownCount).map((person) => (
              <tr key={person.id}>
                <th scope="row">
                  <a href={`/people/${person.id}`}>{personNameOf(person)}</a>{' '}
                  {person.id === start?.user.id && <Tag>You</Tag>}
                  {person.deactivated && <Tag tone="warn">Deactivated</Tag>}
                  {person.scimId !== null && <Tag>Directory</Tag>}
                  <p>{accountNamesOf(person)}</p>
                </th>
                <td data-label="Role">{value.rootRoles.find(({ id }) => id === person.rootRole)?.name}</td>
                <td data-label="Last sign-in">
                  {person.seenAt === null ? <Tag tone="info">Not yet</Tag> : <Ago time={person.seenAt} />}
                </td>
                <td data-label="Sign-in method">{signInMethodOf(person, signIns?.events ?? []) ?? '–'}</td>
              </tr>
            ))}
          </Table>
          <div ref={end} />
        </div>
      )}
    </>
  );
}
