import type { ListedRequest } from '../../screens/request-schema.ts';

/** Requests under a heading. */
export interface RequestGroup {
  readonly title: string;
  readonly requests: readonly ListedRequest[];
}

/** The headings of the inbox in their order; a request stands under the first that fits. */
const groups: readonly (readonly [
  title: string,
  fits: (request: ListedRequest, reader: number | undefined) => boolean,
])[] = [
  ['Asked of you', ({ isAsked, isWaiting }) => isAsked && isWaiting],
  ['Overrides to look at', ({ override, isWaiting }) => override !== undefined && isWaiting],
  ['Waiting for you', ({ isWaiting }) => isWaiting],
  ['Yours', ({ author }, reader) => author.id === reader],
  ['Scheduled', ({ state }) => state === 'Scheduled'],
  ['Waiting for others', () => true],
];

/** Groups open requests by what their reader can do; empty groups are left out. */
export function groupRequests(requests: readonly ListedRequest[], reader: number | undefined): RequestGroup[] {
  const titleOf = (request: ListedRequest) => groups.find(([, fits]) => fits(request, reader))?.[0];
  const byTitle = Map.groupBy(requests, titleOf);
  return groups.flatMap(([title]) => {
    const found = byTitle.get(title);
    return found === undefined ? [] : [{ title, requests: found }];
  });
}
