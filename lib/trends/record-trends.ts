import { environments } from '../environments/environments.ts';
import { listFeatureTypes } from '../features/types/feature-types.ts';
import { loadMembers } from '../identity/accounts.ts';
import { fullAccess, type Request, withoutAuthority, withoutIdempotencyRecord } from '../request.ts';
import { readItem, readItems } from '../store/read.ts';
import { LostRace } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import { loadProjectWeeks } from '../usage/project-weeks.ts';
import { BoundedMap, cachePerObject } from '../values/cache.ts';
import { type IsoWeek, isoWeekAfter, isoWeekOf } from '../values/iso-week.ts';
import { computeExpiry, hasElapsed, type Moment, readClocks } from '../values/time.ts';
import { endlessTime, type TimeBudget } from '../values/time-budget.ts';
import * as trendKeys from './keys.ts';
import { createPastState, type PastState } from './past-state.ts';
import { readWeeks } from './read-weeks.ts';
import { keepRecorded, loadWeekItems, settledMs } from './recorded-weeks.ts';
import { type PresentFacts, summarizeWeek } from './summarize-week.ts';
import { currentForm, formatState, formatWeek, type ProgressItem, parseState, type WeekTrend } from './trend-items.ts';

/** The size of a step: it ends after this many weeks, or after the week in which it has read this many events or its time is over. */
const stepMax = { weeks: 50, events: 20_000 };
/** The time after which the state of a past week expires if there is no other record. Then everything is computed again. */
const stateSeconds = 400 * 24 * 60 * 60;

/**
 * Records the numbers of all weeks since the last record, and those of the current week so far. It repeats steps of some weeks until
 * the budget is over. Several processes can do this at the same time, and each can die at any point: a step is one transaction,
 * and the next one begins where it ended.
 * @returns false if there are more weeks to record.
 */
export async function recordTrends(request: Request, now: number, budget: TimeBudget): Promise<boolean> {
  // The numbers are those of all projects: readers leave out what they may not see.
  const ownRequest = { ...withoutAuthority(withoutIdempotencyRecord(request)), ...fullAccess };
  for (;;) {
    if (await tryRecordStep(ownRequest, now, budget)) return true;
    if (budget.isOver()) return false;
  }
}

/** Lets the next reader compute all numbers again, since events of the past were added. */
export async function forgetTrendProgress(request: Request): Promise<void> {
  const current = trendKeys.week(isoWeekOf(Date.now()).name);
  await transact(request, [{ remove: trendKeys.progress() }, { remove: current }], undefined);
}

/** The time after which a process looks for finished weeks again. */
const lookMs = 60 * 60 * 1_000;

const looksOf = cachePerObject((_: Request['store']) => new BoundedMap<'last', Moment>(1));

/**
 * Records the weeks that have become final, so that the sign-ins of users and the members of projects are those of their time. It looks
 * at most once an hour. If nobody has ever asked for trends, it records nothing: the first request gets the past from the events.
 * @returns false if there are more weeks to record.
 */
export async function recordFinishedWeeks(request: Request, now: Date, budget = endlessTime): Promise<boolean> {
  const looks = looksOf(request.store);
  if (!hasElapsed(looks.get('last'), lookMs)) return true;
  looks.set('last', readClocks());
  const progress = await readItem<ProgressItem>(request, trendKeys.progress());
  const { start } = isoWeekOf(now.getTime() - settledMs);
  if (progress === undefined || progress.until >= start) return true;
  const isComplete = await recordTrends(request, now.getTime(), budget);
  if (!isComplete) looks.delete('last');
  return isComplete;
}

/** @returns true if the step has recorded the current week, false if there is more to do or another process was faster. */
async function tryRecordStep(request: Request, now: number, budget: TimeBudget): Promise<boolean> {
  try {
    return await recordStep(request, now, budget);
  } catch (error) {
    if (error instanceof LostRace) return false;
    throw error;
  }
}

async function recordStep(request: Request, now: number, budget: TimeBudget): Promise<boolean> {
  const progress = await readItem<ProgressItem>(request, trendKeys.progress());
  const [stored, allEnvironments, types, members] = await Promise.all([
    loadState(request, progress),
    environments.list(request),
    listFeatureTypes(request),
    loadMembers(request),
  ]);
  const state = stored ?? createPastState();
  // Environments that every store has were created without an event.
  for (const { name, type } of allEnvironments) {
    if (!state.environmentTypes.has(name)) state.environmentTypes.set(name, type);
  }
  const facts: PresentFacts = { now, types, members };
  const from = stored && progress?.until;
  const recorded = await loadWeekItems(request, from === undefined ? undefined : isoWeekOf(from).name);
  const weeks: { readonly week: IsoWeek; readonly trend: WeekTrend }[] = [];
  let final: FinalState | undefined;
  let eventCount = 0;
  for await (const { week, activity, events } of readWeeks(request, from, state, now)) {
    const trend = summarizeWeek(week, state, activity, await loadProjectWeeks(request, week.name), facts);
    weeks.push({ week, trend: keepRecorded(trend, week, recorded) });
    eventCount += events;
    if (week.end + settledMs > now) continue;
    const isLast = isoWeekAfter(week).end + settledMs > now;
    const isEnough = weeks.length >= stepMax.weeks || eventCount >= stepMax.events || budget.isOver();
    // Formatting the state takes long, so it is done once.
    if (isLast || isEnough) final = { until: week.end, parts: formatState(state) };
    if (isEnough && !isLast) break;
  }
  await storeStep(request, progress, { weeks, final, now });
  return weeks.at(-1)?.week.name === isoWeekOf(now).name;
}

/** The state at the end of the last final week. */
interface FinalState {
  readonly until: number;
  readonly parts: readonly string[];
}

/** Loads the state of the last record; undefined if there is none, or if a part of it is missing. */
async function loadState(request: Request, progress: ProgressItem | undefined): Promise<PastState | undefined> {
  if (progress === undefined || progress.form !== currentForm || progress.parts === 0) return undefined;
  const items = await readItems<{ readonly content: string }>(request, statePartKeys(progress.until, progress.parts));
  const contents = items.map((item) => item?.content ?? '');
  try {
    return parseState(contents);
  } catch {
    return undefined;
  }
}

function statePartKeys(until: number, parts: number) {
  const { name } = isoWeekOf(until - 1);
  return Array.from({ length: parts }, (_, part) => trendKeys.statePart(name, part));
}

/** The results of a step. */
interface Step {
  readonly weeks: readonly { readonly week: IsoWeek; readonly trend: WeekTrend }[];
  /** Missing if no week has become final. */
  readonly final: FinalState | undefined;
  readonly now: number;
}

/** Stores the weeks of a step in one transaction, on the condition that no other process has stored any meanwhile. */
async function storeStep(
  request: Request,
  progress: ProgressItem | undefined,
  { weeks, final, now }: Step,
): Promise<void> {
  const { until = 0, parts = 0, version } = progress ?? {};
  const isSameForm = progress?.form === currentForm;
  const kept = isSameForm ? { until, parts } : { until: 0, parts: 0 };
  const next = final === undefined ? kept : { until: final.until, parts: final.parts.length };
  // The parts come first: they depend on the events alone, so another process may write the same ones.
  for (const [index, key] of statePartKeys(next.until, final?.parts.length ?? 0).entries()) {
    const item = { content: final?.parts[index], expiresAtSeconds: computeExpiry(stateSeconds, now) };
    await transact(request, [{ put: key, item }], undefined);
  }
  // Versions rise even if the progress was forgotten meanwhile.
  const item: ProgressItem = { ...next, form: currentForm, version: version === undefined ? now : version + 1 };
  await transact(
    request,
    [
      { put: trendKeys.progress(), item: { ...item }, when: version === undefined ? 'absent' : { version } },
      ...weeks.map(({ week, trend }) => {
        return { put: trendKeys.week(week.name), item: { until: now, content: formatWeek(trend) }, subject: 'week' };
      }),
    ],
    undefined,
  );
  if (next.until === until) return;
  for (const key of statePartKeys(until, parts)) await transact(request, [{ remove: key }], undefined);
}
