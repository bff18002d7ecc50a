import type { ListedRequest } from '../../screens/request-schema.ts';

/** Requests under a heading. */
export interface RequestGroup {
  readonly title: string;
  readonly requests: readonly ListedRequest[];
}

/** The person who looks at the inbox. */
export interface InboxReader {
  readonly id: number | undefined;
  readonly mayApprove: (request: ListedRequest) => boolean;
}

/** The headings of the inbox in their order. A request goes under the first one that fits. */
const groups: readonly (readonly [title: string, fits: (request: ListedRequest, reader: InboxReader) => boolean])[] = [
  ['Asked of you', ({ isAsked, isWaiting }) => isAsked && isWaiting],
  [
    // An override is listed while it runs, since others can end it early.
    'Overrides to look at',
    (request, reader) =>
      request.override !== undefined &&
      (request.isWaiting || (request.author.id !== reader.id && reader.mayApprove(request))),
  ],
  ['Waiting for you', ({ isWaiting }) => isWaiting],
  ['Yours', ({ author }, reader) => author.id === reader.id],
  ['Scheduled', ({ state }) => state === 'Scheduled'],
  ['Waiting for others', () => true],
];

/** Groups open requests by what their reader can do; empty groups are left out. */
export function groupRequests(requests: readonly ListedRequest[], reader: InboxReader): RequestGroup[] {
  const titleOf = (request: ListedRequest) => groups.find(([, fits]) => fits(request, reader))?.[0];
  const byTitle = Map.groupBy(requests, titleOf);
  return groups.flatMap(([title]) => {
    const found = byTitle.get(title);
    return found === undefined ? [] : [{ title, requests: found }];
  });
}
