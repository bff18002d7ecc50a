/** A replacement in a script of Unleash's admin UI. */
interface Patch {
  readonly from: string;
  readonly to: string;
}

/** An icon for event buses. The UI has icons for Unleash's integrations only. */
const busIcon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#b0084d" stroke-width="2.5"><path d="M3 16h26M9 16V9M16 16v7M23 16V9"/><circle cx="9" cy="6.5" r="2.5"/><circle cx="16" cy="25.5" r="2.5"/><circle cx="23" cy="6.5" r="2.5"/></svg>',
)}`;

/** Returns code that formats a count: "1 user", "2 users". */
const buildPlural = (noun: string, count: string) => `\` ${noun}\`+(${count}===1?\`\`:\`s\`)`;

/**
 * The replacements in the UI's scripts, by the beginning of the script's name, for what a style cannot hide. The release of the
 * UI is pinned, so each text exists exactly once; prove:unleash-console checks that.
 */
export const unleashPatches: Readonly<Record<string, readonly Patch[]>> = {
  'static/index-': [
    // On localhost, the UI asks for feedback after the first segment, and sends it to a server of Unleash's makers.
    { from: 'window.location.hostname)=>e===`localhost`', to: 'window.location.hostname)=>!1' },
    // After some flags, it links to their survey.
    { from: '(0,B.jsx)(_de,{openUrl:`http://feedback.unleash.run`}),', to: '' },
    {
      from: 'teams:{title:`Teams`,icon:Oxe}',
      to: `eventbridge:{title:\`EventBridge\`,icon:(0,B.jsx)(\`img\`,{src:\`${busIcon}\`,width:32,alt:\`\`})},teams:{title:\`Teams\`,icon:Oxe}`,
    },
    { from: '[e,` members`]', to: `[e,${buildPlural('member', 'e')}]` },
    // The list of change requests begins with those that wait for the reader, instead of showing only the reader's own.
    {
      from: '{createdBy:{operator:`IS`,values:[e.id.toString()]},state:{operator:`IS`,values:[`open`]}}',
      to: '{state:{operator:`IS`,values:[`open`]}}',
    },
    {
      from: 'sortBy:Sn(Mn,`createdAt`),sortOrder:Sn(Mn,`desc`),createdBy:AA,requestedApproverId',
      to: 'sortBy:Sn(Mn,`waiting`),sortOrder:Sn(Mn,`desc`),createdBy:AA,requestedApproverId',
    },
    // A safeguard looks at the time range of its metric, not at a step of the metric's chart.
    { from: 'value:`hour`,children:`Last minute`', to: 'value:`hour`,children:`Last hour`' },
    { from: 'value:`day`,children:`Last 15 minutes`', to: 'value:`day`,children:`Last 24 hours`' },
    { from: 'value:`week`,children:`Last 3 hours`', to: 'value:`week`,children:`Last 7 days`' },
    { from: 'value:`month`,children:`Last day`', to: 'value:`month`,children:`Last 31 days`' },
    // The first release template was made by the service, which is no user with a name.
    {
      from: 'children:`Created by`}),(0,B.jsx)(Aqe,{children:t.name||t.username||t.email}',
      to: 'children:`Created by`}),(0,B.jsx)(Aqe,{children:e.createdByUserId<0?`the service`:t.name||t.username||t.email}',
    },
    // People without a role can see projects, too.
    {
      from: "You don't currently have access to any projects in the system.",
      to: 'You have no role in a project yet, and no favorite projects.',
    },
  ],
  'static/LazyProjectExport-': [
    { from: 'users?.length} users`', to: `users?.length}\`+${buildPlural('user', 't.entity.users?.length')}` },
    {
      from: 'then any change in that environment needs to be approved before it will be applied`',
      to: 'then any change in that environment needs to be approved before it will be applied. An Editor cannot approve, nor can an Owner or a Member of the project: give people the project role Approver.`',
    },
    { from: '{{count}} activities in the last year', to: 'Activities in the last year: {{count}}' },
    { from: '{t.count} activities on', to: '{t.count+(t.count===1?` activity`:` activities`)} on' },
    { from: 'userCount,` users`', to: `userCount,${buildPlural('user', 'i?.userCount')}` },
  ],
};
