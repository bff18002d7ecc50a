import type { JSX } from 'preact';
import type { ConsoleRequestPage } from '../../screens/request-schema.ts';
import { Ago } from '../parts/small.tsx';
import { Banner } from '../parts/states.tsx';
import { afterApproval } from '../words/change-requests.ts';
import { describeSpan, describeTime } from '../words/times.ts';
import { listConflictRows } from './conflict-rows.ts';
import { nameOf } from './list-history.ts';

type Props = { readonly page: ConsoleRequestPage };

/** The facts that readers need before they decide: conflicts, the schedule, and an override. */
export function RequestNotices({ page }: Props): JSX.Element {
  const { state, createdBy } = page.request;
  return (
    <>
      <AgentNotice page={page} />
      {state === 'Draft' && (
        <Banner
          tone="info"
          icon="pencil"
          title={createdBy.agent === undefined ? 'Only you see this draft' : 'Only you and your agent see this draft'}
        >
          Send it for review when it is complete. {afterApproval}
        </Banner>
      )}
      <Conflicts page={page} />
      <ScheduleNotice page={page} />
      <OverrideNotice page={page} />
    </>
  );
}

function AgentNotice({ page }: Props): JSX.Element | null {
  const { createdBy, reason } = page.request;
  const { agent, ...owner } = createdBy;
  if (agent === undefined) return null;
  return (
    <Banner tone="info" icon="bot" title={`The agent ${agent.name} proposes this for ${nameOf(page, owner)}`}>
      {reason === undefined ? <p>It gives no reason yet.</p> : <p>Its reason: “{reason}”</p>}
      <p>
        Its token may only read and propose changes.
        {agent.client !== undefined && ` The program that used it calls itself “${agent.client}”.`}
      </p>
    </Banner>
  );
}

function Conflicts({ page }: Props): JSX.Element {
  return (
    <>
      {page.preview?.conflicts.map(({ change, message, differences, segment, changedBy, changedAt }) => (
        <Banner
          key={`${change} ${segment?.id}`}
          tone="warn"
          icon="triangle-alert"
          title={
            differences.length > 0 || segment !== undefined
              ? 'Something changed underneath'
              : 'It cannot be applied as it is'
          }
        >
          {changedBy === undefined ? (
            <>{message.replace(/\.$/, '')}.</>
          ) : (
            <>
              <b>{nameOf(page, changedBy)}</b> changed{' '}
              {segment === undefined ? (
                <>the same in {flagOf(page, change)}</>
              ) : (
                <>
                  the segment <b>{segment.name}</b> that {flagOf(page, change)} uses
                </>
              )}{' '}
              {changedAt !== undefined && <Ago time={changedAt} />}, after this was asked for.
            </>
          )}
          {differences.length > 0 && (
            <span class="drift-scroll">
              <table class="drift">
                <thead>
                  <tr>
                    <th scope="col">What</th>
                    <th scope="col">When asked</th>
                    <th scope="col">Now</th>
                    {segment === undefined && <th scope="col">Wanted</th>}
                  </tr>
                </thead>
                <tbody>
                  {listConflictRows(differences).map(({ label, before, now, wanted }) => (
                    <tr key={label}>
                      <th scope="row">{label}</th>
                      <td>{before}</td>
                      <td>{now}</td>
                      {segment === undefined && <td>{wanted}</td>}
                    </tr>
                  ))}
                </tbody>
              </table>
            </span>
          )}
        </Banner>
      ))}
    </>
  );
}

function flagOf({ request }: ConsoleRequestPage, change: number): string {
  const flag = request.features.find(({ changes }) => changes.some(({ id }) => id === change));
  return flag?.name ?? request.segments.find(({ id }) => id === change)?.name ?? 'this request';
}

function ScheduleNotice({ page }: Props): JSX.Element | null {
  const { schedule, state } = page.request;
  if (schedule === undefined || state !== 'Scheduled') return null;
  const { status, scheduledAt, reason, failureReason } = schedule;
  const by = page.scheduledBy?.name ?? 'the person who scheduled it';
  if (status === 'pending')
    return (
      <Banner tone="info" icon="calendar-clock" title={`It will be applied ${describeTime(scheduledAt)}`}>
        <Ago time={scheduledAt} />, with the rights of {by}.
      </Banner>
    );
  const title =
    status === 'failed' ? 'It could not be applied on schedule' : 'Its schedule is suspended: it will not be applied';
  return (
    <Banner tone="bad" icon="triangle-alert" title={title}>
      {failureReason ?? reason ?? 'The service gave no reason.'} It was to be applied {describeTime(scheduledAt)} with
      the rights of {by}. Choose another time, apply it now, or end the schedule.
    </Banner>
  );
}

type Override = NonNullable<Props['page']['request']['override']>;

/** Returns the end of a sentence about an override, which begins with the name of its author. */
function describeOverride(page: Props['page'], { from, until, reviewedBy }: Override): string {
  const { environment } = page.request;
  const now = new Date().toISOString();
  if (from > now) return `overrides approval in ${environment} ${describeTime(from)}`;
  if (until > now) {
    const seconds = (Date.parse(until) - Date.parse(now)) / 1_000;
    return `overrides approval in ${environment}, ${describeSpan(seconds)} left`;
  }
  const review =
    reviewedBy === undefined ? 'Nobody else has looked at it yet' : `${nameOf(page, reviewedBy)} has seen it`;
  return `overrode approval in ${environment}. ${review}`;
}

function OverrideNotice({ page }: Props): JSX.Element | null {
  const { override, createdBy } = page.request;
  if (override === undefined) return null;
  const { reason, reviewedBy, endedBy } = override;
  const title = `${nameOf(page, createdBy)} ${describeOverride(page, override)}`;
  return (
    <Banner tone={reviewedBy === undefined ? 'warn' : 'info'} icon="zap" title={title}>
      “{reason}”{endedBy !== undefined && `, ended by ${nameOf(page, endedBy)}`}
    </Banner>
  );
}
