import '../parts/board.css';
import './flag.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FeatureEnvironmentView } from '../../features/feature-schema.ts';
import type { ConsoleFlag } from '../../screens/flag-schema.ts';
import { getConsoleFlag } from '../calls/flags.ts';
import { reasonAgainstSwitch, wayOf } from '../change/change-way.ts';
import { useFlagChange } from '../change/flag-change.tsx';
import { placeOf } from '../change/place-of.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Crumbs, useProjectCrumb } from '../parts/crumbs.tsx';
import { typeIcons } from '../parts/flag-icons.ts';
import { Heading } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { Later } from '../parts/later.tsx';
import { Ago, Avatar, Tag } from '../parts/small.tsx';
import { Banner, Empty, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { useStart } from '../reader/start.ts';
import { nameRequest } from '../words/change-requests.ts';
import { showTag, stageNames, typeNames } from '../words/flags.ts';
import { countOf } from '../words/numbers.ts';
import { Applications } from './applications.tsx';
import { EnvironmentCard } from './environment-card.tsx';
import { describeParent } from './flag-changes.ts';
import { FlagMenu } from './flag-menu.tsx';
import { History } from './history.tsx';
import { SwitchDialog } from './switch-dialog.tsx';
import { switchFlag } from './switching.ts';

interface Asked {
  readonly environment: FeatureEnvironmentView;
  readonly isOn: boolean;
}

/** The page of a flag: where it is on, for whom, who uses it, and what happened to it. */
export function FlagPage({ project, feature }: { readonly project: string; readonly feature: string }): JSX.Element {
  const path = getConsoleFlag({ projectId: project, featureName: feature });
  const { value: flag, problem } = useRead(path);
  const [isWhyOpen, setWhyOpen] = useState(false);
  return (
    <main class="page wide flag">
      <Crumbs trail={[['Flags', '/'], useProjectCrumb(project)]} />
      <div class="page-head">
        <div class="grow">
          <Heading title={feature}>
            <span class="mono">{feature}</span>
            <Button
              kind="quiet"
              icon="copy"
              aria-label="Copy the name"
              onClick={() => navigator.clipboard.writeText(feature).then(() => showMessage('Copied the name'))}
            />
          </Heading>
          {flag !== undefined && <Facts flag={flag} />}
        </div>
        {flag !== undefined && (
          <div class="page-actions">
            <Button icon="circle-question-mark" onClick={() => setWhyOpen(true)}>
              Who gets it, and why?
            </Button>
            <FlagMenu flag={flag} />
          </div>
        )}
      </div>
      {problem?.status === 404 && (
        <div class="card">
          <Empty
            icon="flag"
            title="There is no such flag here"
            action={<ButtonLink href={`/archive?q=${encodeURIComponent(feature)}`}>Look in the archive</ButtonLink>}
          >
            It may be archived, or have moved to another project.
          </Empty>
        </div>
      )}
      {problem !== undefined && problem.status !== 404 && <Problem problem={problem} onRetry={() => reload(path)} />}
      {flag === undefined && problem === undefined && <Skeleton rows={8} />}
      {flag !== undefined && <Content flag={flag} path={path} />}
      {flag !== undefined && isWhyOpen && <Later load={loadWhy} props={{ flag, onClose: () => setWhyOpen(false) }} />}
    </main>
  );
}

/** Loads the dialog with the code that evaluates flags. */
const loadWhy = async () => (await import('../why/why.tsx')).Why;

/** Loads the charts of impact metrics, which few flags have. */
const loadCharts = async () => (await import('./flag-charts.tsx')).FlagCharts;

function Facts({ flag: { feature } }: { readonly flag: ConsoleFlag }): JSX.Element {
  const { description, type, lifecycle, createdAt, createdBy, tags, links, stale } = feature;
  const { dependencies, children, impressionData } = feature;
  return (
    <>
      {description !== null && <p class="flag-description">{description}</p>}
      <div class="facts">
        <span>
          <Icon name={typeIcons[type] ?? 'flag'} />
          {typeNames[type] ?? type}
        </span>
        <span>
          <Icon name="activity" />
          {stageNames[lifecycle.stage]}
        </span>
        <span>
          <Icon name="clock" />
          <Ago time={createdAt} />
        </span>
        <span>
          <Avatar name={createdBy.name} />
          {createdBy.name}
        </span>
        {dependencies.map((parent) => (
          <a key={parent.feature} href={`/projects/${feature.project}/features/${parent.feature}`}>
            <Icon name="link" />
            Only if {describeParent(parent)}
          </a>
        ))}
        {children.length > 0 && (
          <span title={children.join(', ')}>
            <Icon name="split" />
            {countOf(children.length, 'flag depends', 'flags depend')} on it
          </span>
        )}
        {impressionData && <Tag>Impression data</Tag>}
        {stale && <Tag tone="warn">Stale</Tag>}
        {tags.map((tag) => (
          <Tag key={`${tag.type}:${tag.value}`}>{showTag(tag)}</Tag>
        ))}
        {links.filter(isWebLink).map(({ id, url, title }) => (
          <a key={id} href={url} rel="noreferrer" target="_blank">
            <Icon name="external-link" />
            {title || url}
          </a>
        ))}
      </div>
    </>
  );
}

const isWebLink = ({ url }: { readonly url: string }) => /^https?:\/\//i.test(url);

function Content({ flag, path }: { readonly flag: ConsoleFlag; readonly path: ReturnType<typeof getConsoleFlag> }) {
  const { value: start } = useStart();
  const [asked, setAsked] = useState<Asked>();
  const [change, changeDialog] = useFlagChange(flag);
  const { feature } = flag;

  const placeIn = ({ name }: FeatureEnvironmentView) => placeOf(flag, name);
  const flip = ({ environment, isOn }: Asked) =>
    switchFlag(placeIn(environment), isOn, {
      path,
      show: (value, now) => showSwitched(value, environment.name, now),
      etag: flag.version,
    });
  const onSwitch = (asking: Asked) => {
    const isHarmless =
      asking.environment.type !== 'production' && wayOf(start, placeIn(asking.environment)) === 'direct';
    if (isHarmless) void flip(asking);
    else setAsked(asking);
  };
  const card = (environment: FeatureEnvironmentView) => (
    <EnvironmentCard
      key={environment.name}
      flag={flag}
      environment={environment}
      reason={reasonAgainstSwitch(start, placeIn(environment))}
      onSwitch={(isOn) => onSwitch({ environment, isOn })}
      onChange={change}
    />
  );
  const production = feature.environments.filter(({ type }) => type === 'production');
  const others = feature.environments.filter(({ type }) => type !== 'production');
  const hasPlan = production.some(({ releasePlans }) => releasePlans.length > 0);
  const layoutWithProduction = hasPlan ? 'even' : '';
  const layout = production.length === 0 ? 'only' : layoutWithProduction;

  return (
    <>
      {flag.requests.map(({ id, title, author, environment, approvals, minApprovals }) => (
        <Banner
          key={id}
          tone="info"
          icon="git-pull-request"
          title={nameRequest({ id, title })}
          action={<ButtonLink href={`/projects/${feature.project}/change-requests/${id}`}>Review</ButtonLink>}
        >
          {author} wants to change this flag in {environment}. {approvals} of {countOf(minApprovals, 'approval')}.
        </Banner>
      ))}
      <div class={`board ${layout}`}>
        <div class="board-left">
          <div class="board-environments">{others.map(card)}</div>
          {flag.charts.length > 0 && <Later load={loadCharts} props={{ flag }} />}
          <History flag={flag} />
          {production.length === 0 && <Applications flag={flag} />}
        </div>
        {production.length > 0 && (
          <div class="board-right">
            {production.map(card)}
            <Applications flag={flag} />
          </div>
        )}
      </div>
      {changeDialog}
      {asked !== undefined && (
        <SwitchDialog
          place={placeIn(asked.environment)}
          isOn={asked.isOn}
          onPerHour={asked.environment.yes}
          onSwitch={() => flip(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

function showSwitched(flag: ConsoleFlag, environment: string, isOn: boolean): ConsoleFlag {
  const environments = flag.feature.environments.map((each) =>
    each.name === environment ? { ...each, enabled: isOn } : each,
  );
  return { ...flag, feature: { ...flag.feature, environments } };
}
