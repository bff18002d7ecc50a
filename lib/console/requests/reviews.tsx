import './reviews.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedRequest } from '../../screens/request-schema.ts';
import { getConsoleReviews, searchChangeRequests } from '../calls/requests.ts';
import { reload, useRead } from '../data/cache.ts';
import { Heading } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { useRowKeys } from '../parts/row-keys.ts';
import { Ago, Avatar, Pill } from '../parts/small.tsx';
import { Empty, Problem, Skeleton } from '../parts/states.tsx';
import { mayIn, useStart } from '../reader/start.ts';
import { nameRequest } from '../words/change-requests.ts';
import { groupRequests } from './group-requests.ts';
import { stateTones, stateWords } from './state-words.ts';

/** The most closed requests that are shown. */
const closedMax = 10;

const closedEveryMs = 60_000;

/** The inbox of change requests: what waits for its reader comes first. */
export function Reviews(): JSX.Element {
  const path = getConsoleReviews({});
  const { value, problem } = useRead(path);
  const { value: start } = useStart();
  const groups = groupRequests(value?.requests ?? [], {
    id: start?.user.id,
    mayApprove: ({ project, environment }) => mayIn(start, 'APPROVE_CHANGE_REQUEST', project, environment),
  });
  useRowKeys({});
  return (
    <main class="page">
      <div class="page-head">
        <Heading title="Reviews" />
      </div>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {value === undefined && problem === undefined && <Skeleton rows={8} />}
      {value !== undefined && groups.length === 0 && (
        <div class="card">
          <Empty icon="git-pull-request" title="Nothing waits for anybody">
            In a protected environment, a change waits here until others approve it. So does what an agent proposes
            anywhere.
          </Empty>
        </div>
      )}
      {groups.map(({ title, requests }) => (
        <section key={title} class="reviews" aria-label={title}>
          <h2>
            {title} <span class="muted">{requests.length}</span>
          </h2>
          <ul class="card">
            {requests.map((request) => (
              <Row key={request.id} request={request} />
            ))}
          </ul>
        </section>
      ))}
      {value !== undefined && <ClosedRequests />}
    </main>
  );
}

/** The requests that were closed last, of all projects. They are read when somebody unfolds them. */
function ClosedRequests(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="reviews" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Closed lately</summary>
      {isOpen && <ClosedList />}
    </details>
  );
}

function ClosedList(): JSX.Element {
  const path = searchChangeRequests({}, { state: 'IS:closed', limit: closedMax });
  const { value, problem } = useRead(path, closedEveryMs);
  if (problem !== undefined) return <Problem problem={problem} onRetry={() => reload(path)} />;
  if (value === undefined) return <Skeleton rows={3} />;
  if (value.changeRequests.length === 0) return <p class="muted">No request was closed yet.</p>;
  return (
    <ul class="card">
      {value.changeRequests.map(({ id, title, project, environment, state, createdBy, createdAt, override }) => (
        <li key={id} class="review" data-row={String(id)}>
          <Avatar name={createdBy.agent?.name ?? createdBy.username} />
          <div class="grow">
            <a class="cover" data-open href={`/projects/${project}/change-requests/${id}`}>
              {nameRequest({ id, title })}
            </a>
            <p>
              {createdBy.agent !== undefined && `${createdBy.agent.name}, agent of `}
              {createdBy.username} · {project} / {environment} · <Ago time={createdAt} />
            </p>
          </div>
          <Pill tone={override === undefined ? stateTones[state] : undefined}>
            {override === undefined ? (stateWords[state] ?? state) : 'Override, seen'}
          </Pill>
        </li>
      ))}
    </ul>
  );
}

function Row({ request }: { readonly request: ListedRequest }): JSX.Element {
  const { id, title, project, environment, state, author, createdAt, features, approvals, required } = request;
  const { override, scheduledAt, isScheduleBroken = false } = request;
  return (
    <li class="review" data-row={String(id)}>
      <Avatar name={author.name} />
      <div class="grow">
        <a class="cover" data-open href={`/projects/${project}/change-requests/${id}`}>
          {title === undefined && override !== undefined ? override : nameRequest({ id, title })}
        </a>
        <p>
          {author.name} · {project} / {environment} · <Ago time={createdAt} />
          {features.length > 0 && (
            <>
              {' · '}
              <span class="mono">{features.slice(0, 3).join(', ')}</span>
              {features.length > 3 && ` and ${features.length - 3} more`}
            </>
          )}
        </p>
      </div>
      {scheduledAt !== undefined && (
        <span class="muted">
          <Ago time={scheduledAt} />
        </span>
      )}
      {override === undefined && (
        <span class="muted review-count">
          {approvals} of {required}
          <Icon name="check" size={14} label="approvals" />
        </span>
      )}
      {isScheduleBroken ? (
        <Pill tone="bad">Schedule stopped</Pill>
      ) : (
        <Pill tone={override === undefined ? stateTones[state] : 'warn'}>
          {override === undefined ? (stateWords[state] ?? state) : 'Override'}
        </Pill>
      )}
    </li>
  );
}
