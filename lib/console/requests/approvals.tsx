import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { updateRequestedApprovers } from '../calls/one-request.ts';
import { reload } from '../data/cache.ts';
import type { Refusal } from '../data/client.ts';
import { Button } from '../parts/button.tsx';
import { FieldProblem } from '../parts/field.tsx';
import { Icon } from '../parts/icon.tsx';
import { Ago, Avatar } from '../parts/small.tsx';
import { useStart } from '../reader/start.ts';
import { countOf } from '../words/numbers.ts';
import { nameOf } from './list-history.ts';
import { listValidApprovals, type PartProps } from './request-parts.ts';

/** The most people who are named as possible approvers. */
const namedMax = 5;

/** The people who approved or are asked, and the number of missing approvals. */
export function Approvals({ page, path }: PartProps): JSX.Element {
  const { value: start } = useStart();
  const { request, required, reviewers, may } = page;
  const valid = listValidApprovals(request);
  const hasApproved = (id: number) => valid.some(({ createdBy }) => createdBy.id === id);
  const asked = reviewers.filter(({ isAsked, id }) => isAsked && !hasApproved(id));
  const others = reviewers.filter(({ isAsked, id }) => !isAsked && !hasApproved(id));
  const named = others.filter(({ id }) => id !== start?.user.id);
  const hasOther = asked.length > 0 || valid.length > 0 || may.approve === true;
  const isOpen = ['Draft', 'In review', 'Approved'].includes(request.state);
  const missing = Math.max(0, required - valid.length);
  return (
    <section class="card" aria-labelledby="approvals">
      <header class="card-head">
        <h2 id="approvals">Approvals</h2>
        <span class="muted">
          {valid.length} of {required}
        </span>
      </header>
      <span class="approvals-bar" aria-hidden="true">
        {Array.from({ length: required }, (_, index) => (
          <i key={index} class={index < valid.length ? 'given' : ''} />
        ))}
      </span>
      <ul class="approvals">
        {valid.map((approval) => (
          <li key={approval.createdAt}>
            <Avatar name={nameOf(page, approval.createdBy)} />
            <span class="grow">{nameOf(page, approval.createdBy)}</span>
            <span class="approved">
              <Icon name="check" />
              Approved <Ago time={approval.createdAt} />
            </span>
          </li>
        ))}
        {asked.map(({ id, name }) => (
          <li key={id}>
            <Avatar name={name} />
            <span class="grow">{name}</span>
            <span class="muted">Asked</span>
            {isOpen && may.manage === true && <Ask page={page} path={path} id={id} name={name} isAsked />}
          </li>
        ))}
      </ul>
      {isOpen && missing > 0 && (
        <p class="approvals-missing">
          {countOf(missing, 'approval')} missing.{' '}
          {asked.length + others.length === 0 && may.approve !== true
            ? 'Nobody else may approve here. An Admin can give somebody the project role Approver.'
            : [
                may.approve === true && 'You may approve it.',
                named.length > 0 &&
                  `${listNames(named.map(({ name }) => name))} may approve it${hasOther ? ', too' : ''}.`,
              ]
                .filter(Boolean)
                .join(' ')}
        </p>
      )}
      {isOpen && may.manage === true && others.length > 0 && <AskSomebody page={page} path={path} others={others} />}
      {(isOpen || request.state === 'Scheduled') && (
        <p class="approvals-note">
          <Icon name="lock" size={14} />
          An approval is valid for exactly this content. Any edit of the content makes it invalid.
        </p>
      )}
    </section>
  );
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namedMax);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.join(', ').replace(/, (?=[^,]*$)/, ' or ');
}

interface AskProps extends PartProps {
  readonly id: number;
  readonly name: string;
  readonly isAsked: boolean;
}

async function setAsked({ page, path }: PartProps, ids: readonly number[]): Promise<void> {
  const { request, version } = page;
  await updateRequestedApprovers(
    { projectId: request.project, id: request.id },
    { body: { reviewers: ids }, ifMatch: version },
  );
  await reload(path);
}

const askedIds = ({ page }: PartProps) => page.reviewers.filter(({ isAsked }) => isAsked).map(({ id }) => id);

function Ask(props: AskProps): JSX.Element {
  const [problem, setProblem] = useState<string>();
  return (
    <>
      <Button
        kind="quiet"
        aria-label={`Do not ask ${props.name}`}
        onClick={() =>
          setAsked(
            props,
            askedIds(props).filter((id) => id !== props.id),
          ).catch((error: Refusal) => setProblem(error.message))
        }
      >
        <Icon name="x" />
      </Button>
      {problem !== undefined && <FieldProblem text={problem} />}
    </>
  );
}

function AskSomebody(props: PartProps & { readonly others: PartProps['page']['reviewers'] }): JSX.Element {
  const [problem, setProblem] = useState<string>();
  return (
    <div class="approvals-ask">
      <select
        class="input"
        aria-label="Ask somebody to review it"
        value=""
        onChange={(event) =>
          setAsked(props, [...askedIds(props), Number(event.currentTarget.value)]).catch((error: Refusal) =>
            setProblem(error.message),
          )
        }
      >
        <option value="">Ask somebody</option>
        {props.others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {problem !== undefined && <FieldProblem text={problem} />}
    </div>
  );
}
