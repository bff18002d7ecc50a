import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { here, setQuery } from '../browser/router.ts';
import { getApplications } from '../calls/applications.ts';
import { reload, useRead } from '../data/cache.ts';
import { ButtonLink } from '../parts/button.tsx';
import { SearchField } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { PageList } from '../parts/page-list.tsx';
import { Ago } from '../parts/small.tsx';
import { Empty } from '../parts/states.tsx';

const path = getApplications({}, { limit: 1_000 });

/** The applications that have asked for flags. */
export function ApplicationsPage(): JSX.Element {
  const { value, problem } = useRead(path, 30_000);
  const search = new URLSearchParams(here.value.split('?')[1]).get('q') ?? '';
  const applications = useMemo(
    () => value?.applications.filter(({ appName }) => appName.toLowerCase().includes(search.toLowerCase())),
    [value, search],
  );
  return (
    <PageList
      title="Applications"
      about="Those that have asked for flags, by the names that they report."
      filters={<SearchField label="Search applications" value={search} onInput={(q) => setQuery({ q })} />}
      problem={problem}
      onRetry={() => reload(path)}
      count={applications?.length}
      empty={
        <Empty
          icon="boxes"
          title={search === '' ? 'No application has asked yet' : 'No application matches'}
          action={search === '' && <ButtonLink href="/tokens">Tokens</ButtonLink>}
        >
          {search === ''
            ? 'An application appears a minute after its SDK has started with a token.'
            : 'Try another word.'}
        </Empty>
      }
    >
      {applications?.map(({ appName, description, sdkVersion, lastSeen, usage }) => (
        <li key={appName}>
          <Icon name="boxes" />
          <div class="grow">
            <a class="mono" href={`/applications/${encodeURIComponent(appName)}`}>
              {appName}
            </a>
            <p>
              {[
                sdkVersion,
                usage
                  .map(
                    ({ project, environments }) =>
                      `${project === '*' ? 'all projects' : project} in ${environments.join(', ')}`,
                  )
                  .join('; '),
                description,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </div>
          <span class="muted">
            <Ago time={lastSeen} />
          </span>
        </li>
      ))}
    </PageList>
  );
}
