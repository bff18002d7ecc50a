import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { ComparedToken } from '../../../infra/commands/migration/compare/choose-tokens.ts';
import { Problem } from '../../../infra/problem.ts';
import { freePort } from '../../harness/ports.ts';
import { start } from '../../rehearsal/processes.ts';
import { Promises } from '../promises.ts';
import { type MovedServer, openMovingAddress } from './moving-address.ts';
import { luckyFlags, pageAnswers, pageOf } from './pages-move.ts';
import { answersOf, proveCounted, started } from './sdks-move.ts';

const startMs = 30_000;
const sdksMax = 3;

/**
 * Proves that applications behind an Edge notice nothing: it polls an address that moves to the target, and SDKs of Node and
 * a page with tokens of the source poll it, without an error or another answer; tokens that it sees only then are
 * accepted, metrics arrive, and an Edge that is started at the target delivers the same.
 * @param program file of the Edge.
 */
export async function proveEdgeMoves({ source, target, tokens }: MovedServer, program: string): Promise<Promises> {
  const promises = new Promises('an Edge that moves');
  const whole = tokens.find(({ type, projects }) => type === 'client' && projects.includes('*'));
  if (whole === undefined) throw new Problem('--edge needs a client token for all projects on the source.');
  const own = tokens.filter(({ environment }) => environment === whole.environment);
  const [late, ...clients] = own.filter((each) => each.type === 'client' && each !== whole);
  const frontend = own.find(({ type }) => type === 'frontend');
  await using address = await openMovingAddress(source.url);
  await using edge = await startEdge(program, address.url, whole);
  const sdks = [whole, ...clients.slice(0, sdksMax - 1)].map((token, index) =>
    started(edge.url, token, `behind-edge-${index}`),
  );
  const page = frontend && pageOf(edge.url, frontend);
  const pageErrors: unknown[] = [];
  page?.on('error', (error: unknown) => pageErrors.push(error));
  try {
    for (const { name, unleash } of sdks) {
      await promises.within(startMs, `${name} is ready`, () => unleash.isSynchronized());
    }
    await page?.start();
    const lucky = await luckyFlags(source, [whole]);
    const answers = () => [...sdks.map(answersOf), ...(page ? [pageAnswers(page, lucky)] : [])];
    const before = answers();
    const saidBefore = edge.problems().length;
    address.moveTo(target.url);
    // The second answer to each token comes when the first one has been read.
    await promises.within(startMs, 'it polls the target', () => address.answered > 2 * sdks.length);
    const polls = () => sdks.map(({ seen }) => seen.changed + seen.unchanged);
    const polled = polls();
    const isPolled = () => polls().every((count, index) => count > (polled[index] ?? 0) + 1);
    await promises.within(startMs, 'SDKs poll it', isPolled);
    promises.same('all answer as before', answers(), before);
    promises.same('no SDK has an error', [...sdks.flatMap(({ seen }) => seen.errors), ...pageErrors], []);
    if (late !== undefined) {
      const [behind, direct] = [await answersAt(edge.url, late), await answersAt(source.url, late)];
      promises.same('a token that it sees later gets the same', behind, direct);
    }
    await proveCounted(promises, sdks, target);
    promises.same('it says nothing of the move', edge.problems().slice(saidBefore), []);
    await using another = await startEdge(program, target.url, whole);
    promises.same('one that starts at the target delivers the same', await answersAt(another.url, whole), before[0]);
  } finally {
    for (const { unleash } of sdks) unleash.destroy();
    page?.stop();
  }
  return promises;
}

/** The answers of an SDK that starts at an address. */
async function answersAt(url: string, token: ComparedToken): Promise<ReturnType<typeof answersOf>> {
  await using sdk = started(url, token, 'late');
  await once(sdk.unleash, 'synchronized', { signal: AbortSignal.timeout(startMs) });
  return answersOf(sdk);
}

/** @throws Problem where it does not get ready. */
async function startEdge(program: string, upstream: string, token: ComparedToken) {
  const port = await freePort('127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const intervals = ['--features-refresh-interval-seconds', '1', '--metrics-interval-seconds', '1'];
  // The address it polls, and SDKs, are in this process, which evaluates for seconds where there are many flags.
  const patience = ['--edge-keepalive-timeout', '60', '--edge-request-timeout', '60'];
  const listening = ['--interface', '127.0.0.1', '--port', String(port), ...patience];
  const polling = ['edge', '--dynamic', '--upstream-request-timeout', '60', '--upstream-url', upstream];
  const args = [...listening, ...polling, '--tokens', token.secret, ...intervals];
  const running = start(program, args, { env: { NO_COLOR: '1' }, signal: new AbortController().signal });
  const isReady = async () => (await fetch(`${url}/internal-backstage/ready`).catch(() => undefined))?.ok === true;
  for (const begun = performance.now(); !(await isReady()); await sleep(100)) {
    if (performance.now() - begun < startMs) continue;
    await running.stop();
    throw new Problem(`${program} does not start: ${running.output()}`);
  }
  return {
    url,
    /** The lines of its log about what went wrong; it notes as information that it could not fetch, or send, something. */
    problems: () =>
      stripVTControlCharacters(running.output())
        .split('\n')
        .filter((line) => / (WARN|ERROR) |failed/i.test(line)),
    [Symbol.asyncDispose]: () => running.stop(),
  };
}
