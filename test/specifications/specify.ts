import { beforeAll, beforeEach, describe, test as plainTest } from 'vitest';
import type { Permission } from '../../lib/identity/permissions.ts';
import type { Seed } from '../../lib/imports/seed/seed-data.ts';
import type { Request } from '../../lib/request.ts';
import { freshService, type Service } from '../harness/service.ts';
import { freshTable } from '../harness/table.ts';
import { World } from '../harness/world.ts';
import type { NamedSpecification, Specification, SpecifiedRole } from './specification.ts';
import { testAccess } from './suites/access.ts';
import { testAgents } from './suites/agents.ts';
import { testBody } from './suites/body.ts';
import { testCosts } from './suites/costs.ts';
import { testDocument } from './suites/document.ts';
import { testFeatures } from './suites/features.ts';
import { testGate } from './suites/gate.ts';
import { testGenerated } from './suites/generated.ts';
import { testLimits } from './suites/limits.ts';
import { testOrder } from './suites/order.ts';
import { testPaths } from './suites/paths.ts';
import { testRepeats } from './suites/repeats.ts';
import { testStory } from './suites/story.ts';
import { testLikeUnleash } from './suites/unleash.ts';
import { Trial } from './trial.ts';

const known = new Map<string, NamedSpecification>();

/** The specifications of the test files that this process has loaded, by their operations. */
export const specifications: ReadonlyMap<string, NamedSpecification> = known;

/**
 * Specifies an operation by its contract, and tests that the endpoint keeps it: who may call it, which mistakes it
 * finds in which order, what it does to bodies and paths, what comes of a repeat, what it asks of the store, and what
 * is written of it. It belongs in a test file of the folder of its endpoint, above what the operation does.
 */
export function specify(operationId: string, specification: Specification): void {
  const named = { operationId, ...specification };
  known.set(operationId, named);
  describe(operationId, () => {
    const trial = new Trial(named);
    beforeAll(() => trial.open());
    beforeEach(() => trial.enter());
    testGenerated(trial);
    testDocument(trial);
    testAccess(trial);
    testAgents(trial);
    testOrder(trial);
    testPaths(trial);
    testFeatures(trial);
    testGate(trial);
    testLimits(trial);
    if (trial.declaration.body !== undefined) testBody(trial);
    testRepeats(trial);
    testStory(trial);
    testCosts(trial);
    testLikeUnleash(trial);
  });
}

/** Opens an operation to a role and those above it, by one of these permissions. */
export function openTo(role: Exclude<SpecifiedRole, 'Viewer'>, ...needs: readonly Permission[]) {
  const roles = ['Admin', 'Editor', 'Owner', 'Member'] as const;
  return { may: roles.slice(0, roles.indexOf(role) + 1), needs };
}

/**
 * A test of what operations do, on a store of its own where it asks for the `service` or the `world` that makes things
 * in it.
 */
export const test = plainTest
  .extend('service', () => freshService())
  .extend('world', ({ service }) => new World(service));

/** A service that the tests around the call share, on a store of its own; there from the first of them on. */
export function sharedService(seed?: Seed): Service {
  const service = {} as Service;
  beforeAll(async () => void Object.assign(service, await freshService(seed)));
  return service;
}

/** A service that the tests around the call share, and the world that makes things in it. */
export function sharedWorld(seed?: Seed): { readonly service: Service; readonly world: World } {
  const service = sharedService(seed);
  return { service, world: new World(service) };
}

/** A service that the tests around the call find on another store each time; there from the first of them on. */
export function serviceForEach(seed?: Seed): Service {
  const service = {} as Service;
  beforeEach(async () => void Object.assign(service, await freshService(seed)));
  return service;
}

/** A service that the tests around the call find on another store each time, and the world that makes things in it. */
export function worldForEach(seed?: Seed): { readonly service: Service; readonly world: World } {
  const service = serviceForEach(seed);
  const world = new World(service);
  beforeEach(() => world.begin());
  return { service, world };
}

/** An empty table that the tests of the block share, from the first of them on. */
export function sharedTable(): Request {
  const table = {} as Request;
  beforeAll(async () => void Object.assign(table, await freshTable()));
  return table;
}

/** A table that is empty for each test of the block, from the first of them on. */
export function tableForEach(): Request {
  const table = {} as Request;
  beforeEach(async () => void Object.assign(table, await freshTable()));
  return table;
}
