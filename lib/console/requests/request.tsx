import '../parts/board.css';
import './request.css';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { getConsoleRequest } from '../calls/requests.ts';
import { reload, useRead } from '../data/cache.ts';
import { Button } from '../parts/button.tsx';
import { Crumbs, useProjectCrumb } from '../parts/crumbs.tsx';
import { Heading } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { Ago, Avatar, Pill } from '../parts/small.tsx';
import { Problem, Skeleton } from '../parts/states.tsx';
import { nameRequest } from '../words/change-requests.ts';
import { Approvals } from './approvals.tsx';
import { Changes } from './changes.tsx';
import { Conversation } from './conversation.tsx';
import { nameOf } from './list-history.ts';
import { RequestActions } from './request-actions.tsx';
import { RequestNotices } from './request-notices.tsx';
import type { PartProps } from './request-parts.ts';
import { stateTones, stateWords } from './state-words.ts';
import { TitleDialog } from './title-dialog.tsx';

/** The page of a change request: its effects, its approvals and its history. */
export function RequestPage({ project, id }: { readonly project: string; readonly id: string }): JSX.Element {
  const path = getConsoleRequest({ projectId: project, id });
  const { value: page, problem } = useRead(path);
  return (
    <main class="page wide">
      <Crumbs trail={[['Reviews', '/reviews'], useProjectCrumb(project)]} />
      {page === undefined && (
        <div class="page-head">
          <Heading title={`Change request ${id}`} />
        </div>
      )}
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {page === undefined && problem === undefined && <Skeleton rows={8} />}
      {page !== undefined && <Content page={page} path={path} />}
    </main>
  );
}

function Content({ page, path }: PartProps): JSX.Element {
  const { request, may } = page;
  const { id, state, environment, createdAt, createdBy, override, expiresAt } = request;
  const isUnnamed = nameRequest(request) !== request.title;
  const ownDraft = createdBy.agent === undefined ? 'Your draft' : 'The draft of your agent';
  const title = isUnnamed && state === 'Draft' ? ownDraft : nameRequest(request);
  const [isRenaming, setRenaming] = useState(false);
  const author = nameOf(page, createdBy);
  const isOpen = ['Draft', 'In review', 'Approved', 'Scheduled'].includes(state);
  return (
    <>
      <div class="page-head request-head">
        <div class="grow">
          <Heading title={title}>
            <bdi>{title}</bdi> {!isUnnamed && <span class="muted">#{id}</span>}
            {isOpen && may.manage === true && (
              <Button kind="quiet" aria-label="Change the title" onClick={() => setRenaming(true)}>
                <Icon name="pencil" />
              </Button>
            )}
          </Heading>
          <p class="request-facts">
            <Pill tone={override === undefined ? stateTones[state] : 'warn'}>
              {override === undefined ? (stateWords[state] ?? state) : 'Override'}
            </Pill>
            <span class="request-fact">
              <Avatar name={author} />
              <span>
                {author}, <Ago time={createdAt} />
              </span>
            </span>
            <span class="request-fact">
              <Icon name="shield" />
              {environment}
            </span>
            {expiresAt !== undefined && (
              <span class="request-fact">
                <Icon name="clock" />
                <span>
                  Cancelled <Ago time={expiresAt} /> unless applied
                </span>
              </span>
            )}
          </p>
        </div>
        <RequestActions page={page} path={path} />
      </div>
      <RequestNotices page={page} />
      <div class="board">
        <div class="board-left">
          <Changes page={page} path={path} />
        </div>
        <div class="board-right request-right">
          {override === undefined && <Approvals page={page} path={path} />}
          <Conversation page={page} path={path} />
        </div>
      </div>
      {isRenaming && <TitleDialog page={page} path={path} onClose={() => setRenaming(false)} />}
    </>
  );
}
