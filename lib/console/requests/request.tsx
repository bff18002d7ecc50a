import '../parts/board.css';
import './request.css';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ConsoleRequestPage } from '../../screens/request-schema.ts';
import { addChangeRequestComment, getConsoleRequest, updateChangeRequestState } from '../calls/requests.ts';
import { reload, useRead } from '../data/cache.ts';
import type { Refusal } from '../data/client.ts';
import { startPath } from '../data/start.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Diff } from '../parts/diff.tsx';
import { Field, FieldProblem } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Icon } from '../parts/icon.tsx';
import { Ago, Avatar, Pill } from '../parts/small.tsx';
import { Banner, Problem, Skeleton } from '../parts/states.tsx';
import { showMessage } from '../parts/toasts.tsx';
import { listDifferences } from '../words/differences.ts';
import { tellEvent } from '../words/events.ts';
import { countOf } from '../words/numbers.ts';
import { stateTones, stateWords } from './state-words.ts';

/** The page of a change request: its true effects, its approvals, and the conversation about it. */
export function RequestPage({ project, id }: { readonly project: string; readonly id: string }): JSX.Element {
  const path = getConsoleRequest({ projectId: project, id });
  const { value: page, problem } = useRead(path);
  return (
    <main class="page wide">
      <nav class="crumbs" aria-label="Place">
        <a href="/reviews">Reviews</a>
        <Icon name="chevron-right" size={14} />
        <a href={`/projects/${project}`}>{project}</a>
      </nav>
      {problem !== undefined && <Problem problem={problem} onRetry={() => reload(path)} />}
      {page === undefined && problem === undefined && <Skeleton rows={8} />}
      {page !== undefined && <Content page={page} path={path} />}
    </main>
  );
}

type Path = ReturnType<typeof getConsoleRequest>;

interface PartProps {
  readonly page: ConsoleRequestPage;
  readonly path: Path;
}

/** The state that somebody is about to bring the request into. */
type Step = 'Approved' | 'Rejected' | 'Applied' | 'Cancelled' | 'In review';

function Content({ page, path }: PartProps): JSX.Element {
  const { request, required, may } = page;
  const [step, setStep] = useState<Step>();
  const { id, title, state, environment, createdAt, approvals } = request;
  const valid = approvals.filter(({ contentHash }) => contentHash === request.contentHash);
  const isOpen = ['Draft', 'In review', 'Approved', 'Scheduled'].includes(state);
  return (
    <>
      <div class="page-head">
        <div class="grow">
          <Heading title={title ?? `Change request ${id}`} />
          <p class="request-facts">
            <Pill tone={stateTones[state]}>{stateWords[state] ?? state}</Pill>
            {nameOf(page, request.createdBy)} · {environment} · <Ago time={createdAt} />
          </p>
        </div>
        {isOpen && (
          <div class="page-actions">
            {state === 'Draft' ? (
              <Button kind="solid" onClick={() => setStep('In review')} reason={reasonOf(may.edit)}>
                Send to review
              </Button>
            ) : (
              <>
                <Button onClick={() => setStep('Rejected')} reason={reasonOf(may.reject)}>
                  Turn down
                </Button>
                {may.apply === true ? (
                  <Button kind="solid" onClick={() => setStep('Applied')}>
                    Apply now
                  </Button>
                ) : (
                  <Button kind="solid" onClick={() => setStep('Approved')} reason={reasonOf(may.approve)}>
                    Approve
                  </Button>
                )}
              </>
            )}
            {may.cancel === true && (
              <Button kind="quiet" onClick={() => setStep('Cancelled')}>
                Cancel it
              </Button>
            )}
          </div>
        )}
      </div>
      <Conflicts page={page} />
      <div class="board">
        <div class="board-left">
          <Changes page={page} />
        </div>
        <div class="board-right">
          <section class="card" aria-labelledby="approvals">
            <header class="card-head">
              <h2 id="approvals">Approvals</h2>
              <span class="muted">
                {valid.length} of {required}
              </span>
            </header>
            <ul class="approvals">
              {valid.map((approval) => (
                <li key={approval.createdAt}>
                  <Icon name="check" label="approved" />
                  {nameOf(page, approval.createdBy)}
                  <Ago time={approval.createdAt} />
                </li>
              ))}
              {page.reviewers
                .filter(
                  ({ isAsked, id: reviewer }) => isAsked && !valid.some(({ createdBy }) => createdBy.id === reviewer),
                )
                .map(({ id: reviewer, name }) => (
                  <li key={reviewer}>
                    <Avatar name={name} />
                    {name}
                    <span class="muted">asked</span>
                  </li>
                ))}
            </ul>
            <p class="approvals-note">An approval holds for exactly this content.</p>
          </section>
          <Conversation page={page} path={path} />
        </div>
      </div>
      {step !== undefined && <StepDialog page={page} path={path} step={step} onClose={() => setStep(undefined)} />}
    </>
  );
}

const reasonOf = (permission: true | string) => (permission === true ? undefined : permission);

function nameOf(
  { people }: ConsoleRequestPage,
  { id, username }: { readonly id: number; readonly username: string },
): string {
  return people.find((person) => person.id === id)?.name ?? username;
}

function Conflicts({ page: { preview } }: { readonly page: ConsoleRequestPage }): JSX.Element {
  return (
    <>
      {preview?.conflicts.map(({ change, message, differences }) => (
        <Banner key={change} tone="warn" icon="triangle-alert" title="Something changed underneath">
          {message}
          {differences.map(({ property, before, now, wanted }) => (
            <span key={property} class="conflict">
              {property}: {JSON.stringify(before)} when asked, {JSON.stringify(now)} now, {JSON.stringify(wanted)}{' '}
              requested
            </span>
          ))}
        </Banner>
      ))}
    </>
  );
}

/** The effects of applying the request, flag by flag, by the code that applies it. */
function Changes({ page }: { readonly page: ConsoleRequestPage }): JSX.Element {
  const { request, preview } = page;
  const effects = useMemo(
    () => [...Map.groupBy(preview?.events ?? [], ({ featureName }) => featureName ?? 'Segments')],
    [preview],
  );
  return (
    <section aria-labelledby="changes">
      <h2 id="changes" class="changes-title">
        {preview === undefined ? 'What changed' : 'What changes'} in {request.environment}
        <span class="muted">applied together or not at all</span>
      </h2>
      {preview === undefined &&
        request.features.map(({ name, changes }) => (
          <article key={name} class="card change">
            <a class="mono" href={`/projects/${request.project}/features/${name}`}>
              {name}
            </a>
            <p class="muted">{countOf(changes.length, 'change')}</p>
          </article>
        ))}
      {effects.map(([name, events]) => (
        <article key={name} class="card change">
          <a class="mono" href={`/projects/${request.project}/features/${name}`}>
            {name}
          </a>
          {events.map((event, index) => (
            <div key={index} class="effect">
              <p>{tellEffect(event)}</p>
              <Diff differences={listDifferences(event.preData, event.data)} />
            </div>
          ))}
        </article>
      ))}
    </section>
  );
}

function tellEffect(event: NonNullable<ConsoleRequestPage['preview']>['events'][number]): string {
  const { type, featureName = null, data, preData } = event;
  const sentence = tellEvent({ type, featureName, data, preData, environment: null } as Parameters<
    typeof tellEvent
  >[0]);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function Conversation({ page, path }: PartProps): JSX.Element {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const { request } = page;
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setProblem(undefined);
    try {
      await addChangeRequestComment({ projectId: request.project, id: request.id }, { body: { text } });
      setText('');
      await reload(path);
    } catch (error) {
      setProblem((error as Refusal).message);
    }
  }
  return (
    <section class="card" aria-labelledby="conversation">
      <header class="card-head">
        <h2 id="conversation">Conversation</h2>
      </header>
      <ul class="comments">
        {request.comments.map(({ id, text: comment, createdBy, createdAt }) => (
          <li key={id}>
            <Avatar name={nameOf(page, createdBy)} />
            <div class="grow">
              <p>
                <b>{nameOf(page, createdBy)}</b> <Ago time={createdAt} />
              </p>
              <p>{comment}</p>
            </div>
          </li>
        ))}
      </ul>
      <form class="comment-form" onSubmit={send}>
        <Field label="Comment" problem={problem}>
          <textarea
            class="input"
            rows={2}
            maxLength={1_000}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </Field>
        <Button type="submit" isDisabled={text.trim() === ''}>
          Comment
        </Button>
      </form>
    </section>
  );
}

interface StepWords {
  readonly title: string;
  readonly button: string;
  readonly done: string;
  readonly kind: 'solid' | 'danger';
}

function wordsOf(step: Step, changes: number, environment: string): StepWords & { readonly text: string } {
  const these = countOf(changes, 'change');
  switch (step) {
    case 'Approved':
      return {
        ...{ title: 'Approve?', button: 'Approve', done: 'You approved it', kind: 'solid' },
        text: `You approve the ${these} that you see here, and nothing else.`,
      };
    case 'Applied':
      return {
        ...{ title: `Apply in ${environment}?`, button: 'Apply now', done: 'It is applied', kind: 'solid' },
        text: 'SDKs get it within seconds.',
      };
    case 'Rejected':
      return {
        ...{ title: 'Turn it down?', button: 'Turn down', done: 'You turned it down', kind: 'danger' },
        text: 'It is closed, and can be asked for again.',
      };
    case 'Cancelled':
      return {
        ...{ title: 'Cancel it?', button: 'Cancel the request', done: 'It is cancelled', kind: 'danger' },
        text: 'Nothing changes. Its approvals are lost.',
      };
    case 'In review':
      return {
        ...{ title: 'Send it to review?', button: 'Send to review', done: 'It waits for approval', kind: 'solid' },
        text: `Others can see it then, and approve its ${these}.`,
      };
  }
}

function StepDialog({ page, path, step, onClose }: PartProps & { readonly step: Step; readonly onClose: () => void }) {
  const { request, version } = page;
  const [comment, setComment] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const count = [...request.features, ...request.segments].reduce(
    (sum, each) => sum + ('changes' in each ? each.changes.length : 1),
    0,
  );
  const words = wordsOf(step, count, request.environment);

  async function carryOut(): Promise<void> {
    setBusy(true);
    try {
      await updateChangeRequestState(
        { projectId: request.project, id: request.id },
        { body: { state: step, ...(comment !== '' && { comment }) }, ifMatch: version },
      );
    } catch (error) {
      const { status, message } = error as Refusal;
      setProblem(status === 412 ? 'Somebody changed it while you looked. Read it again, then decide.' : message);
      setBusy(false);
      await reload(path);
      return;
    }
    showMessage(words.done);
    await Promise.all([reload(path), reload(startPath)]);
    onClose();
  }

  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button kind={words.kind} isBusy={isBusy} onClick={carryOut}>
            {words.button}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
      <Field label="Comment, if you like">
        <textarea
          class="input"
          rows={2}
          maxLength={1_000}
          value={comment}
          onInput={(event) => setComment(event.currentTarget.value)}
        />
      </Field>
      {problem !== undefined && <FieldProblem text={problem} />}
    </Dialog>
  );
}
