import fc from 'fast-check';
import { systemUser } from '../../../lib/events/actor.ts';
import { isInMaintenance, setMaintenance } from '../../../lib/settings/maintenance.ts';
import { saveSimpleSettings } from '../../../lib/sign-in/sign-in-settings.ts';
import { contentOf } from '../../harness/items.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { aimed } from './aim.ts';
import { requestsByHand } from './by-hand/requests.ts';
import { type Delivered, deliver } from './deliver.ts';
import type { FindingKind, Findings } from './findings.ts';
import { requestsFor } from './generated/requests.ts';
import type { ReadyOperation, SpecifiedOperation } from './operations.ts';
import { brokenLimits, brokenPromises } from './promises.ts';
import { describeRequest, gatewayEvent, type HostileRequest } from './request.ts';
import { brokenByCrash, type HostileTarget, openTarget, unhealthy } from './target.ts';

export interface Attack {
  readonly seed: number;
  /** Number of requests to generate for each operation. */
  readonly runs: number;
  /** Most requests made by hand. */
  readonly byHandMax: number;
  /** Operations whose examples have to succeed afterwards. */
  readonly examined: readonly SpecifiedOperation[];
}

/** Number of requests on the subject of the example before they are aimed at a new one. */
const aimedEvery = 100;

/**
 * Most requests that go to one store, and most of them that may create something: of some kinds there may be only
 * fifty.
 */
const sentToStoreMax = 200;
const createdInStoreMax = 30;

/** Sends everything to one operation, on stores of its own, and looks what is left of them. */
export async function attack(
  specified: SpecifiedOperation,
  { seed, runs, byHandMax, examined }: Attack,
  findings: Findings,
): Promise<void> {
  const { operationId } = specified;
  let target = await openTarget();
  const operation = await target.exampleOf(specified);
  let latest = operation;
  let sentToStore = 0;
  let createdInStore = 0;
  /** Text that earlier requests have brought into the store, and that a reply may contain. */
  let stored = '';

  async function examine(operations: readonly SpecifiedOperation[]): Promise<void> {
    const { table } = target.service;
    // Examples change things, which maintenance refuses, and sign in with passwords, which an attack may have switched off.
    if (await isInMaintenance(table)) await setMaintenance(table, systemUser, false);
    await saveSimpleSettings(table, systemUser, { disabled: false }, undefined);
    const left = [...(await unhealthy(target, operations)), ...problemsOf(await contentOf(table))];
    for (const problem of left) findings.add(operationId, ['After the attack:'], problem, problem);
  }

  async function send(request: HostileRequest, kind: FindingKind): Promise<string[]> {
    if (sentToStore === sentToStoreMax || createdInStore === createdInStoreMax) {
      await examine([specified]);
      await target.close();
      target = await openTarget();
      sentToStore = 0;
      createdInStore = 0;
      stored = '';
    }
    if (sentToStore % aimedEvery === 0) latest = await target.exampleOf(specified);
    sentToStore += 1;
    target.storeWatch.take();
    const { delivered, broken } = await tried(aimed(request, operation, latest), target, stored);
    if (delivered !== undefined && delivered.status < 300) stored += wordsOf(request);
    if (delivered?.status === 201) createdInStore += 1;
    findings.count(operationId, kind, delivered?.status ?? 0);
    return [...broken, ...target.storeWatch.take()];
  }

  for (const request of requestsByHand(operation, { max: byHandMax, seed })) {
    findings.add(operationId, await send(request, 'byHand'), request.what, describeRequest(request));
  }
  await generate(operation, { seed, runs }, findings, (request) => send(request, 'generated'));
  await examine(examined);
  for (const problem of await brokenByCrash(latest, target.tokens)) {
    findings.add(operationId, ['After the attack:'], problem, problem);
  }
  await target.close();
}

async function tried(
  request: HostileRequest,
  { tokens }: HostileTarget,
  stored: string,
): Promise<{ delivered?: Delivered; broken: string[] }> {
  try {
    const delivered = await deliver(request);
    return {
      delivered,
      broken: [...brokenPromises(delivered, `${wordsOf(request)}\n${stored}`, tokens), ...brokenLimits(delivered)],
    };
  } catch (error) {
    return { broken: [`The function threw: ${error}`] };
  }
}

/** Returns the text that an answer may quote: the request as it was sent and as it was decoded. */
function wordsOf(request: HostileRequest): string {
  const { event } = gatewayEvent({ ...request, body: undefined });
  const { target, headers, body = '' } = request;
  return [
    target,
    JSON.stringify(event ?? ''),
    ...Object.values(headers),
    body.toString(),
    unescaped(body.toString()),
  ].join('\n');
}

function unescaped(json: string): string {
  return json.replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Stops at the first request that breaks a promise, and makes it as small as it can be. */
async function generate(
  operation: ReadyOperation,
  { seed, runs }: Pick<Attack, 'seed' | 'runs'>,
  findings: Findings,
  send: (request: HostileRequest) => Promise<string[]>,
): Promise<void> {
  let promises: string[] = [];
  const kept = fc.asyncProperty(requestsFor(operation), async (request) => {
    const broken = await send(request);
    if (broken.length > 0) promises = broken;
    return broken.length === 0;
  });
  const {
    failed,
    counterexample,
    counterexamplePath,
    errorInstance: error,
  } = await fc.check(kept, { seed, numRuns: runs });
  if (!failed) return;
  const [request] = counterexample ?? [];
  const shown = request === undefined ? String(error) : describeRequest(request);
  const broken = promises.length > 0 ? promises : ['A request could not be made.'];
  const example = `${shown}\n  at ${counterexamplePath} of seed ${seed}`;
  findings.add(operation.operationId, broken, operation.operationId, example);
}
