import '../parts/rows.css';
import './application.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApplicationOverview } from '../../usage/applications/application-schema.ts';
import { go } from '../browser/router.ts';
import {
  deleteApplication,
  getApplicationEnvironmentInstances,
  getApplicationOverview,
  getApplications,
} from '../calls/applications.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Crumbs } from '../parts/crumbs.tsx';
import { Heading } from '../parts/heading.tsx';
import { Ago, Tag } from '../parts/small.tsx';
import { Banner, Empty, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';

/** The page of an application: where it runs, with which SDKs, and the flags that it misses. */
export function ApplicationPage({ name }: { readonly name: string }): JSX.Element {
  const path = getApplicationOverview({ appName: name });
  const { value, problem } = useRead(path, 30_000);
  const { value: start } = useStart();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <main class="page">
      <Crumbs trail={[['Applications', '/applications']]} />
      <div class="page-head">
        <Heading title={name}>
          <span class="mono">{name}</span>
        </Heading>
        <div class="page-actions">
          <Button
            icon="trash"
            reason={
              start === undefined || mayIn(start, 'UPDATE_APPLICATION')
                ? undefined
                : 'Needs the permission to change applications.'
            }
            onClick={() => setDeleting(true)}
          >
            Delete
          </Button>
        </div>
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={6} />}
      {value !== undefined && <Overview name={name} overview={value} />}
      {isDeleting && (
        <Confirm
          title={`Delete the application ${name}?`}
          verb="Delete"
          isDanger
          act={async () => {
            await deleteApplication({ appName: name });
            showMessage(`Deleted ${name}`);
            await reload(getApplications({}, { limit: 1_000 }));
            go('/applications');
          }}
          onClose={() => setDeleting(false)}
        >
          Only its entry here is gone. It comes back as soon as it reports again.
        </Confirm>
      )}
    </main>
  );
}

interface OverviewProps {
  readonly name: string;
  readonly overview: ApplicationOverview;
}

function Overview({ name, overview }: OverviewProps): JSX.Element {
  const { projects, featureCount, environments, issues } = overview;
  return (
    <>
      <p class="application-about">
        It used {countOf(featureCount, 'flag')} in 48 hours
        {projects.length > 0 && ', of '}
        {projects.map((project, index) => (
          <span key={project}>
            {index > 0 && ', '}
            <a href={`/projects/${project}`}>{project}</a>
          </span>
        ))}
        .
      </p>
      {issues.missingStrategies.length > 0 && (
        <Banner tone="warn" icon="triangle-alert" title="It uses strategy types that do not exist">
          {issues.missingStrategies.join(', ')}
        </Banner>
      )}
      {environments.length === 0 && (
        <div class="card">
          <Empty icon="boxes" title="No instance has reported in 24 hours">
            It may be gone. It appears again as soon as it reports.
          </Empty>
        </div>
      )}
      {environments.map((environment) => (
        <Environment key={environment.name} name={name} environment={environment} />
      ))}
    </>
  );
}

interface EnvironmentProps {
  readonly name: string;
  readonly environment: ApplicationOverview['environments'][number];
}

function Environment({ name, environment }: EnvironmentProps): JSX.Element {
  const { name: environmentName, instanceCount, sdks, lastSeen, issues } = environment;
  const [isOpen, setOpen] = useState(false);
  const id = `application-${environmentName}`;
  return (
    <section class="card application" aria-labelledby={id}>
      <h2 id={id}>{environmentName}</h2>
      <p>
        {countOf(instanceCount, 'instance')}
        {lastSeen !== null && (
          <>
            {' · seen '}
            <Ago time={lastSeen} />
          </>
        )}
      </p>
      <div class="application-sdks">
        {sdks.map((sdk) => (
          <Tag key={sdk} tone={issues.outdatedSdks.includes(sdk) ? 'warn' : undefined}>
            {sdk}
            {issues.outdatedSdks.includes(sdk) && ', outdated'}
          </Tag>
        ))}
      </div>
      {issues.missingFeatures.length > 0 && (
        <Banner
          tone="warn"
          icon="triangle-alert"
          title={`It asks for ${countOf(issues.missingFeatures.length, 'flag')} that ${issues.missingFeatures.length === 1 ? 'does' : 'do'} not exist`}
        >
          <span class="mono">{issues.missingFeatures.join(', ')}</span>
        </Banner>
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Instances</summary>
        {isOpen && <Instances name={name} environment={environmentName} />}
      </details>
    </section>
  );
}

function Instances({ name, environment }: { readonly name: string; readonly environment: string }): JSX.Element {
  const path = getApplicationEnvironmentInstances({ appName: name, environment });
  const { value, problem } = useRead(path, 60_000);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(path)} />;
  if (value === undefined) return <Skeleton rows={3} />;
  return (
    <ul class="rows">
      {value.instances.map(({ instanceId, clientIp, sdkVersion, lastSeen }) => (
        <li key={instanceId}>
          <div class="grow">
            <span class="mono">{instanceId}</span>
            <p>{[clientIp, sdkVersion].filter(Boolean).join(' · ')}</p>
          </div>
          <span class="muted">
            <Ago time={lastSeen} />
          </span>
        </li>
      ))}
    </ul>
  );
}
