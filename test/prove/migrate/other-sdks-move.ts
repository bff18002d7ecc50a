import type { ComparedToken } from '../../../infra/commands/migration/compare/choose-tokens.ts';
import { fetchAsSdk } from '../../../infra/commands/migration/compare/client-answer.ts';
import { Promises } from '../promises.ts';
import { countedUses } from '../sdks/flags.ts';
import { installSdk, otherLanguages } from '../sdks/other-languages.ts';
import type { ServerSdk } from '../sdks/server-sdk.ts';
import { NotHere, workshopIn } from '../sdks/tools.ts';
import { type MovedServer, openMovingAddress } from './moving-address.ts';
import { luckyFlags } from './pages-move.ts';
import { countedMs } from './sdks-move.ts';

const startMs = 60_000;
const flagsMax = 40;
const users = ['user-1', 'user-7', 'user-42', 'nobody'];

/**
 * Proves that the official SDKs of other languages notice nothing, each with a client token of the source at an address that
 * moves to the target. What this machine lacks for one is said.
 */
export async function proveOtherSdksMove(
  { source, target, tokens }: MovedServer,
  directory: string,
): Promise<Promises> {
  const promises = new Promises('other SDKs that move');
  const token = tokens.find(({ type, projects }) => type === 'client' && projects.includes('*'));
  if (token === undefined) return promises;
  const lucky = await luckyFlags(source, [token]);
  const known = (await fetchAsSdk(new URL(source.url), token.secret)).flags.keys();
  const flags = [...known].filter((name) => !lucky.has(name)).slice(0, flagsMax);
  for (const language of otherLanguages) {
    try {
      const startAt = await installSdk(language, workshopIn(directory));
      await proveMoves(promises, { language, startAt }, { source, target, token, flags });
    } catch (error) {
      if (!(error instanceof NotHere)) throw error;
      console.log(`  not run: the SDK of ${language}, ${error.message}`);
    }
  }
  return promises;
}

interface Move extends Omit<MovedServer, 'tokens'> {
  readonly token: ComparedToken;
  readonly flags: readonly string[];
}

async function proveMoves(
  promises: Promises,
  { language, startAt }: { readonly language: string; readonly startAt: Awaited<ReturnType<typeof installSdk>> },
  { source, target, token, flags }: Move,
): Promise<void> {
  await using address = await openMovingAddress(source.url);
  const application = `mover-${language}`;
  await using sdk = startAt(address.url, token.secret, application);
  await promises.within(startMs, `that of ${language} is ready`, () => sdk.isReady());
  const before = await answersOf(sdk, flags);
  const said = await sdk.errors();
  address.moveTo(target.url);
  // The second answer comes when the first one has been read.
  await promises.within(startMs, `that of ${language} polls the target`, async () => {
    await sdk.isReady();
    return address.answered > 2;
  });
  promises.same(`that of ${language} answers as before`, await answersOf(sdk, flags), before);
  const errors = (await sdk.errors()).filter((each) => !said.includes(each));
  promises.same(`that of ${language} has no error`, errors, []);
  const isCounted = async () => (await countedUses(target, flags[0] ?? '', application)) > 0;
  await promises.within(countedMs, `metrics of that of ${language} arrive`, isCounted);
}

async function answersOf(sdk: ServerSdk, flags: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const flag of flags) {
    for (const userId of users) {
      const context = { userId, properties: { country: 'NZ' } };
      const [isEnabled, payload] = [await sdk.isEnabled(flag, context), await sdk.payload(flag, context)];
      answers.push(`${flag} for ${userId}: ${isEnabled} ${JSON.stringify(payload)}`);
    }
  }
  return answers;
}
