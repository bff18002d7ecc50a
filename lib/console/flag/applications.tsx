import '../parts/board.css';
import './applications.css';
import type { JSX } from 'preact';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { countOf, shortCount } from '../words/numbers.ts';
import { FirstUse } from './first-use.tsx';
import { type FlagUser, groupApplications } from './group-applications.ts';

/** The applications that have asked for a flag within a day, or else the code that asks for it. */
export function Applications({ flag }: { readonly flag: ConsoleFlag }): JSX.Element {
  return (
    <section class="card" aria-labelledby="applications">
      <header class="card-head">
        <h2 id="applications">Who uses it</h2>
        {flag.applications.length > 0 && <span class="muted">calls in 24 h</span>}
      </header>
      {flag.applications.length === 0 ? (
        <FirstUse flag={flag} />
      ) : (
        <ul class="applications">
          {groupApplications(flag.applications).map((application) => (
            <Application key={application.name} application={application} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Application({
  application: { name, calls, sdks, environments },
}: {
  readonly application: FlagUser;
}): JSX.Element {
  return (
    <li>
      <div class="grow">
        <a class="mono cover" href={`/applications/${encodeURIComponent(name)}`}>
          {name}
        </a>
        {sdks.length > 0 && <small>{sdks.join(', ')}</small>}
        <small>
          {environments
            .map(({ environment, instances }) =>
              instances === 0 ? environment : `${environment}, ${countOf(instances, 'instance')}`,
            )
            .join(' · ')}
        </small>
      </div>
      <span class="muted">{shortCount(calls)}</span>
    </li>
  );
}
