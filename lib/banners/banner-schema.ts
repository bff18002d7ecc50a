import * as v from 'valibot';
import { boolean, id, idText, moment, object, textOfLength, timestamp } from '../values/primitives.ts';

/** Stands for the address of this service. */
const here = 'https://flagstaff.invalid';

/** Tells whether a link leads to a page or an address for mail; one to a script would run in the admin UI. */
function isHarmless(link: string): boolean {
  if (/[\s\p{C}]/u.test(link)) return false;
  // A browser takes a backslash for a slash, and what begins with two of them for another host.
  if (link.startsWith('/')) return URL.parse(link, here)?.origin === here;
  return ['https:', 'http:', 'mailto:'].includes(URL.parse(link)?.protocol ?? '');
}

const link = v.pipe(
  textOfLength(0, 2_000),
  v.check(
    (sent) => ['', 'dialog'].includes(sent) || isHarmless(sent),
    'A link is an address that begins with https://, http:// or mailto:, a path that begins with /, or the word dialog.',
  ),
);

const shortText = textOfLength(0, 200);
const variant = v.picklist(['info', 'warning', 'error', 'success']);

/** The parts of a banner that may be missing; the message and the dialog are Markdown. */
const optional = {
  /** A symbol of Material Symbols; `none` for none, and empty for that of the variant. */
  icon: v.exactOptional(shortText),
  link: v.exactOptional(link),
  linkText: v.exactOptional(shortText),
  dialogTitle: v.exactOptional(shortText),
  dialog: v.exactOptional(textOfLength(0, 10_000)),
} as const;

const message = textOfLength(1, 2_000);

/** Tells whether a banner whose times are known ends after it begins. */
export function endsInTime({ from, to }: { readonly from?: string | null; readonly to?: string | null }): boolean {
  return typeof from !== 'string' || typeof to !== 'string' || from < to;
}
export const endsTooSoon = 'A banner must end after it begins.';

/** Banner in requests. */
export const bannerInput = v.pipe(
  object({
    message,
    enabled: v.optional(boolean, true),
    variant: v.optional(variant, 'info'),
    sticky: v.optional(boolean, false),
    ...optional,
    /** It is shown from then on; null for at once. */
    from: v.exactOptional(v.nullable(moment)),
    /** It is shown until then; null for as long as it is enabled. */
    to: v.exactOptional(v.nullable(moment)),
  }),
  v.forward(
    v.check((sent) => endsInTime(sent), endsTooSoon),
    ['to'],
  ),
);
export type BannerInput = v.InferOutput<typeof bannerInput>;

/** Banner in replies. */
export const banner = object({
  id,
  message,
  /** It is shown now. */
  enabled: boolean,
  variant,
  sticky: boolean,
  ...optional,
  from: v.nullable(timestamp),
  to: v.nullable(timestamp),
  createdAt: timestamp,
  /** Unlike `enabled` it tells one that is switched off from one whose time has not come, or is over. */
  state: v.picklist(['off', 'scheduled', 'shown', 'over']),
});
export type ShownBanner = v.InferOutput<typeof banner>;

/** The path of a banner. */
export const bannerPath = object({ id: idText });
