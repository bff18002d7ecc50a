/** A step of the move, with the command to type. */
export interface MoveStep {
  readonly title: string;
  readonly text: string;
  readonly command?: string;
  /** An address to give to an application. */
  readonly address?: string;
}

/** Stands for the old server until somebody types its address. */
const exampleHost = 'unleash.example.com';

/** An address that a shell takes as one word: anything else stays a placeholder. */
const plainAddress = /^https?:\/\/[\w.:/-]+$/;

/** Returns the steps of the move from an old server to this one. */
export function buildSteps(old: string, here: string): MoveStep[] {
  const from = plainAddress.test(old) ? old.replace(/\/+$/, '') : `https://${exampleHost}`;
  return [
    {
      title: 'Look at the plan',
      text:
        'It says for each kind of thing what would be created, changed and left, and what cannot move and why. It asks ' +
        'before it writes. The token is the personal token of an administrator there.',
      command: `export UNLEASH_TOKEN='user:…'\nnpm run migrate -- --from ${from}`,
    },
    {
      title: 'Compare both servers',
      text:
        'Each flag is evaluated on both servers for a thousand users, and for values at the edge of its conditions. It ' +
        'ends with PASS, or with the flags that differ, and writes a report.',
      command: `npm run migrate -- --from ${from} --compare --url ${here} --report moved.html`,
    },
    {
      title: 'Try one application',
      text: 'Give it this address and its old token. Watch its errors, and its use on the page of a flag here.',
      address: `${here}/api`,
    },
    {
      title: 'Follow the old server',
      text: 'Until the day of the move, changes there come over within seconds. The old server wins until then.',
      command: `npm run migrate -- --from ${from} --yes --watch`,
    },
    {
      title: 'Move the address',
      text:
        'Switch on maintenance mode on the old server, and wait a minute. Move once more, compare again, and let your DNS ' +
        'name point here. Keep the old server in maintenance for some weeks: it is the way back.',
      command: `npm run migrate -- --from ${from} --yes --prune`,
    },
  ];
}
