import * as v from 'valibot';
import { boolean, id, idText, moment, object, textOfLength, timestamp } from '../values/primitives.ts';

/** Pages that could have a link: the host of `http:x` is `x` only on a page with the other protocol. */
const bases = ['https://flagstaff.invalid', 'http://flagstaff.invalid'];

/** Tells whether a link leads to a page or a mail address. A link to a script would run in the admin UI. */
function isHarmless(link: string): boolean {
  if (/[\s\p{C}]/u.test(link)) return false;
  const urls = bases.map((base) => URL.parse(link, base));
  // Browsers treat a backslash as a slash, and two slashes before a path as the beginning of another host.
  if (link.startsWith('/'))
    return urls.every((url, index) => url?.origin === bases[index] && !url?.pathname.startsWith('//'));
  const url = URL.parse(link);
  return (
    ['https:', 'http:', 'mailto:'].includes(url?.protocol ?? '') && urls.every((other) => other?.href === url?.href)
  );
}

const link = v.pipe(
  textOfLength(0, 2_000),
  v.check(
    (address) => ['', 'dialog'].includes(address) || isHarmless(address),
    'A link is an address that begins with https://, http:// or mailto:, a path that begins with /, or the word dialog.',
  ),
);

const shortText = textOfLength(0, 200);
const variant = v.picklist(['info', 'warning', 'error', 'success']);

/** The optional properties of a banner. The message and the dialog are Markdown. */
const optional = {
  /** The name of a Material symbol; `none` for no symbol, empty for the symbol of the variant. */
  icon: v.exactOptional(shortText),
  link: v.exactOptional(link),
  linkText: v.exactOptional(shortText),
  dialogTitle: v.exactOptional(shortText),
  dialog: v.exactOptional(textOfLength(0, 10_000)),
} as const;

const message = textOfLength(1, 2_000);

/** Tells whether a banner ends after it begins; true if one of its times is missing. */
export function endsAfterBeginning({
  from,
  to,
}: {
  readonly from?: string | null;
  readonly to?: string | null;
}): boolean {
  return typeof from !== 'string' || typeof to !== 'string' || from < to;
}
export const endsTooEarlyMessage = 'A banner must end after it begins.';

/** Banner in requests. */
export const bannerInput = v.pipe(
  object({
    message,
    enabled: v.optional(boolean, true),
    variant: v.optional(variant, 'info'),
    sticky: v.optional(boolean, false),
    ...optional,
    /** The time from which it is shown; null for now. */
    from: v.exactOptional(v.nullable(moment)),
    /** The time until which it is shown; null for no end. */
    to: v.exactOptional(v.nullable(moment)),
  }),
  v.forward(
    v.check((input) => endsAfterBeginning(input), endsTooEarlyMessage),
    ['to'],
  ),
);
export type BannerInput = v.InferOutput<typeof bannerInput>;

/** Banner in replies. */
export const banner = object({
  id,
  message,
  /** True if it is shown now. */
  enabled: boolean,
  variant,
  sticky: boolean,
  ...optional,
  from: v.nullable(timestamp),
  to: v.nullable(timestamp),
  createdAt: timestamp,
  /** Unlike `enabled`, it distinguishes a banner that is switched off from one that is scheduled or over. */
  state: v.picklist(['off', 'scheduled', 'shown', 'over']),
});
export type ShownBanner = v.InferOutput<typeof banner>;

/** The path of a banner. */
export const bannerPath = object({ id: idText });
