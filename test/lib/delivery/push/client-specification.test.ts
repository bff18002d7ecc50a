import type { Context } from 'unleash-client';
import { expect, test, vi } from 'vitest';
import { DeltaCache, type DeltaState } from '../../../../lib/delivery/delta/delta-cache.ts';
import { changes } from '../../../../lib/delivery/push/messages.ts';
import { sendStream } from '../../../../lib/http/local/send-stream.ts';
import type { Connection } from '../../../../lib/values/event-stream.ts';
import { sha256 } from '../../../../lib/values/sha256.ts';
import { readClientSpecification } from '../../../harness/client-specification.ts';
import { listeningInTest } from '../../../harness/listening.ts';
import { startNodeSdk } from '../../../harness/node-sdk.ts';

interface Named {
  readonly name: string;
}
interface Segment {
  readonly id: number;
}

const files = readClientSpecification<Named, Segment>().filter(({ states }) => states.length > 0);
/** The time that a busy machine may need. */
const patience = { timeout: 60_000 };
/** A change that is longer than everything is not sent, so there is more than what changes. */
const others = { name: 'others', description: 'x'.repeat(5_000), strategies: [] };

function deltaStateOf(revision: number, features: readonly Named[], segments: readonly Segment[]): DeltaState {
  return {
    revision,
    hash: sha256(JSON.stringify([features, segments])).slice(0, 16),
    features: new Map(
      [others, ...features].map((feature) => [feature.name, { text: JSON.stringify(feature), project: 'default' }]),
    ),
    segments: new Map(segments.map((segment) => [segment.id, JSON.stringify(segment)])),
  };
}

test('The specification of SDKs has files with changes', () => {
  expect(files.map(({ name }) => name)).toEqual(['19-delta-api-hydration', '20-delta-api-events']);
});

test.each(files)(
  'The official SDK, which streams our events, does what the specification says: $name',
  async ({ states, tests }) => {
    const cache = new DeltaCache(deltaStateOf(0, [], []));
    const connections: Connection[] = [];
    const url = await listeningInTest((_request, response) =>
      sendStream(response, { headers: { 'content-type': 'text/event-stream' } }, (connection) => {
        connections.push(connection);
        connection.send(Buffer.from(changes.greet(cache, { from: undefined, isCurrent: false })));
        return () => {};
      }),
    );
    await using sdk = startNodeSdk(url, 'x', {
      appName: 'specification',
      disableMetrics: true,
      experimentalMode: { type: 'streaming' },
    });
    const { unleash } = sdk;
    await vi.waitFor(() => expect(unleash.getFeatureToggleDefinitions()).toHaveLength(1), patience);
    for (const [index, { features, segments }] of states.entries()) {
      const { hash } = cache.state;
      cache.moveOn(deltaStateOf(index + 1, features, segments));
      const event = changes.update(cache, hash);
      expect(event).not.toContain('"type":"hydration"');
      for (const connection of connections) connection.send(Buffer.from(event));
    }
    await vi.waitFor(() => {
      for (const { toggleName, context, expectedResult } of tests)
        expect(unleash.isEnabled(toggleName, context as Context)).toBe(expectedResult);
    });
  },
);
