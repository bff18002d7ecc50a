/** The rules from Google's style sheets for the fonts that the page of Unleash's admin UI links to. */
const fonts = `
@font-face {
  font-family: 'Material Symbols Outlined';
  font-display: block;
  src: url('/fonts/material-symbols-outlined.woff2') format('woff2');
}
.material-symbols-outlined {
  font-family: 'Material Symbols Outlined';
  font-weight: normal;
  font-style: normal;
  font-size: 24px;
  line-height: 1;
  letter-spacing: normal;
  text-transform: none;
  display: inline-block;
  white-space: nowrap;
  word-wrap: normal;
  direction: ltr;
  font-feature-settings: 'liga';
  -webkit-font-smoothing: antialiased;
}
@font-face {
  font-family: 'Sen';
  font-weight: 400 800;
  font-display: swap;
  src: url('/fonts/sen-latin.woff2') format('woff2');
}
@font-face {
  font-family: 'Sen';
  font-weight: 400 800;
  font-display: swap;
  src: url('/fonts/sen-latin-ext.woff2') format('woff2');
  unicode-range: U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF,
    U+20A0-20AB, U+20AD-20C0, U+2C60-2C7F, U+A720-A7FF;
}`;

/** Pages of features that Flagstaff does not have, which the UI's switches do not remove from its menus. */
const absent = ['/admin/enterprise-edge', '/admin/instance-privacy', '/admin/network/traffic', '/integrations/signals'];

const linkTo = (path: string) => `a[href^="${path}"]`;

/** The path of the network overview is a prefix of that of the data usage page, which exists, so it is matched exactly. */
const absentLinks = [...absent.map(linkTo), 'a[href="/admin/network"]'];

/** Selectors of links to pages that do not exist, of advertisements for them, and of notes about commercial plans. */
const hidden = [
  ...absentLinks.flatMap((link) => [link, `:is(li, p):has(> ${link})`, `li:has(> ${link}) + li[aria-hidden]`]),
  // The tabs of a page.
  `.MuiTabs-root:has(${linkTo('/admin/network')})`,
  `.MuiAlert-root:has(${linkTo('/admin/enterprise-edge')})`,
  // The plan and a heading, which always say Enterprise; seats, which are not sold; and a sign-up on another site.
  '.MuiGrid2-root:has(> .MuiPaper-root > div > a[href$="#versioning"])',
  '.MuiBox-root:has(> figure [data-loading-licensed-users])',
  'h1:has(+ div #project-mode)',
  'p:has(> a[href$="getunleash.io/plans"])',
  // Advice near a limit to ask Unleash for a higher one.
  'div:has(> a[href^="mailto:customersuccess"])',
  // A form to ask Unleash for integrations.
  'a[href^="https://docs.google.com/forms"]',
  // Feedback, which would go to a server of Unleash's makers.
  'button:has([data-testid="ReviewsOutlinedIcon"])',
  'div:has(> [data-testid="ChatOutlinedIcon"])',
];

/** The link to the form that requests a reset link by mail. */
const mailLink = 'a[href="/forgotten-password"]';

/**
 * Returns additional styles for the page of Unleash's admin UI: its fonts, and rules that hide links to pages that do not exist. For a new release
 * of the UI, each selector must be checked, which prove:unleash-console does.
 */
export function unleashStyle(hasMail: boolean): string {
  const selectors = hasMail ? hidden : [...hidden, mailLink];
  return `${fonts}\n${selectors.join(',\n')} { display: none !important; }\n`;
}
