#!/usr/bin/env node
/*
 * Verifies the history of a Flagstaff service. It needs nothing but Node 20 or later, and shares no code with the service, so that an
 * auditor can read it in one sitting. README.md beside it describes the format.
 *
 *   node verifier.mjs FILE ... [--key PUBLIC_KEY_FILE]
 *
 * FILE is a backup (gzip), a checkpoint, a folder of checkpoints, or a proof of one event (JSON), in any order. The exit code is 0 if
 * all agree, 1 if something was altered, removed or added, and 2 if a file cannot be read. It keeps hashes in memory: about 400 bytes
 * per change.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

const problems = [];
const notes = [];

// ---------------------------------------------------------------------------------------------------------------------------------
// Hashes

const hash = (text) => createHash('sha256').update(text).digest('base64url');

function hashContent({ pk, sk, link: _link, ...attributes }) {
  const names = Object.keys(attributes).sort();
  return hash(JSON.stringify([pk, sk, ...names.map((name) => [name, attributes[name]])]));
}

const hashLink = (before, content) => hash(`${before}\n${content}`);

const hashSeal = ({ number, at, upTo, previous, count, root }) =>
  hash(JSON.stringify(['seal', number, at, upTo, previous, count, root]));

const hashNode = (left, right) => hash(`node\n${left}\n${right}`);

function hashTree(leaves) {
  let level = leaves.map((leaf) => hash(`leaf\n${leaf}`));
  while (level.length > 1) {
    const above = [];
    for (let at = 0; at < level.length; at += 2) {
      above.push(at + 1 < level.length ? hashNode(level[at], level[at + 1]) : level[at]);
    }
    level = above;
  }
  return level[0];
}

// ---------------------------------------------------------------------------------------------------------------------------------
// A backup

const features = new Map(); // by name: { own, items: [{ id, content, link, ... }] }
const items = new Map(); // all items of events, by the id of their first event
const seals = new Map(); // by number
const lists = new Map(); // the leaves of seals, by number

const featureOf = (name) => {
  if (!features.has(name)) features.set(name, { own: undefined, items: [] });
  return features.get(name);
};

async function readBackup(file) {
  const digest = createHash('sha256');
  let [number, last] = [0, undefined];
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: 0 })) {
    if (last !== undefined) {
      digest.update(`${last}\n`);
      if (number > 0) readItem(JSON.parse(last));
      number += 1;
    }
    last = line;
  }
  const { items: count, sha256 } = JSON.parse(last ?? '{}');
  if (count === undefined) throw new Error(`${file} is truncated.`);
  if (sha256 !== digest.digest('hex'))
    problems.push(`${file} was changed after it was written: its checksum is wrong.`);
}

function readItem(item) {
  const { pk, sk } = item;
  const [kind, name, part] = pk.split('#');
  if (kind === 'FEATURE' && part === undefined && sk === 'FEATURE') featureOf(name).own = item;
  else if (kind === 'FEATURE' && part === 'EVENTS') addEvents(item, name);
  else if (kind === 'EVENTS') addEvents(item, undefined);
  else if (kind === 'SEALS' || kind === 'SEAL') readSeal(item, kind === 'SEAL');
}

/** Reads a seal or its list. Something that only looks like one could list an altered event as genuine. */
function readSeal({ pk, sk, ...item }, isList) {
  const number = Number(isList ? pk.slice('SEAL#'.length) : sk);
  const padded = String(number).padStart(16, '0');
  const isHere = isList ? pk === `SEAL#${padded}` && sk === 'LEAVES' : pk === 'SEALS' && sk === padded;
  const known = isList ? lists : seals;
  if (!isHere || known.has(number)) problems.push(`The item ${pk} ${sk} was added: it is no seal, or is there twice.`);
  else known.set(number, isList ? String(item.leaves).split('\n') : { ...item, number });
}

function addEvents(item, feature) {
  const id = Number(item.sk);
  const entry = { id, feature, link: item.link, content: hashContent(item), at: item.at, total: item.total };
  const events = parseEvents(item.events);
  entry.count = events.length;
  entry.end = events.at(-1)?.id;
  entry.isImported = events.length > 0 && 'importedEvent' in { ...events[0].preData, ...events[0].data };
  // A seal has to list it by its `at`, which must be the time that the event tells.
  if (events.length === 0) problems.push(`${nameOf(entry)} cannot be read: it was altered.`);
  else if (events[0].id !== id) problems.push(`${nameOf(entry)} was altered: its item has event ${events[0].id}.`);
  else if (!events.every((event) => isOf(event, feature, item.pk)))
    problems.push(`${nameOf(entry)} is in the wrong place: it belongs elsewhere.`);
  else if (item.at !== `${events[0].createdAt}#${item.sk}`)
    problems.push(`${nameOf(entry)} was altered: the list of all events has it at another time.`);
  if (items.has(id)) problems.push(`${nameOf(entry)} is there twice.`);
  items.set(id, entry);
  if (feature !== undefined) featureOf(feature).items.push(entry);
}

/** Tells whether an event belongs to the items of a feature, or of no feature in a month. */
function isOf({ featureName, createdAt }, feature, pk) {
  return feature === undefined ? pk === `EVENTS#${String(createdAt).slice(0, 7)}` : featureName === feature;
}

/** Returns the events of an item; none if somebody has made them unreadable. */
function parseEvents(text) {
  try {
    const events = JSON.parse(text);
    return events.every(({ id }) => Number.isSafeInteger(id)) ? events : [];
  } catch {
    return [];
  }
}

const nameOf = ({ id, feature }) => `Event ${id}${feature === undefined ? '' : ` of feature ${feature}`}`;

function verifyBackup(kept) {
  const leaves = verifySeals(kept);
  verifyLeaves(leaves, kept);
  for (const [name, { own, items: chain }] of features) verifyChain(name, own, chain, leaves);
}

/** Verifies the chain of seals, and returns the leaf of each event: its hash, and the seal. Seals in a checkpoint count first. */
function verifySeals(kept) {
  const leaves = new Map();
  const add = (number, list) => {
    for (const leaf of list) {
      const end = leaf.indexOf(':');
      const id = Number(leaf.slice(0, end));
      const [known, listed] = [leaves.get(id), leaf.slice(end + 1)];
      if (known === undefined) leaves.set(id, { hash: listed, number });
      else if (known.hash !== listed && known.number !== number) {
        problems.push(
          `Event ${id} was altered: the seals ${known.number} and ${number} list it with different content.`,
        );
      }
    }
  };
  for (const seal of kept) add(seal.number, seal.leaves.split('\n'));
  const lastKept = kept.reduce((last, { number }) => Math.max(last, number), 0);
  let before = { number: 0, hash: '' };
  for (const seal of [...seals.values()].sort((a, b) => a.number - b.number)) {
    const { number, root, count } = seal;
    const list = lists.get(number) ?? [];
    if (number !== before.number + 1) problems.push(`The seals between ${before.number} and ${number} are missing.`);
    else if (seal.previous !== before.hash) problems.push(`Seal ${number} does not continue the one before.`);
    if (seal.hash !== hashSeal(seal)) problems.push(`Seal ${number} was altered.`);
    if (list.length !== count || hashTree(list) !== root) problems.push(`The list of seal ${number} was altered.`);
    if (number > lastKept) add(number, list);
    before = seal;
  }
  for (const number of lists.keys()) {
    if (!seals.has(number)) problems.push(`Seal ${number} was removed: only its list is left.`);
  }
  if (before.number === 0) notes.push('There is no seal yet.');
  return leaves;
}

/** Returns the time an hour before another; empty if that is no time. */
function hourBefore(time) {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? '' : new Date(ms - 3_600_000).toISOString();
}

/** Verifies that everything that seals list is there, and that they list everything that is older than the last one. */
function verifyLeaves(leaves, kept) {
  for (const [id, { number }] of leaves) {
    if (!items.has(id)) problems.push(`Event ${id} was removed: seal ${number} lists it.`);
  }
  // Nothing older than an hour before the end of a seal is left for the next one, unless it was imported.
  const earliest = new Map();
  const ended = new Set();
  let upTo = '';
  for (const seal of [...seals.values(), ...kept].sort((a, b) => a.number - b.number)) {
    // A seal in a checkpoint is also in the backup.
    if (!ended.has(seal.number)) earliest.set(seal.number, hourBefore(upTo));
    ended.add(seal.number);
    if (seal.upTo > upTo) upTo = seal.upTo;
  }
  // A writer whose clock is late adds something new before the end of the last seal. Ids rise, so it has a higher id than all that is sealed.
  let highestId = 0;
  for (const id of leaves.keys()) highestId = Math.max(highestId, id);
  let [unsealed, unlinked] = [0, 0];
  for (const entry of items.values()) {
    const leaf = leaves.get(entry.id);
    if (leaf === undefined) {
      unsealed += 1;
      if (entry.link === undefined) unlinked += 1;
      const at = String(entry.at).split('#')[0];
      if (at < (entry.id > highestId ? hourBefore(upTo) : upTo))
        problems.push(`${nameOf(entry)} was added: no seal lists it.`);
    } else if (leaf.hash !== (entry.link ?? entry.content)) {
      problems.push(`${nameOf(entry)} was altered after seal ${leaf.number} had listed it, or its link was.`);
    } else if (!entry.isImported && String(entry.at).split('#')[0] < (earliest.get(leaf.number) ?? '')) {
      problems.push(`${nameOf(entry)} was added: a seal before seal ${leaf.number} would list it.`);
    }
  }
  if (unsealed > 0)
    notes.push(
      `${unsealed === 1 ? '1 change is' : `${unsealed} changes are`} in no seal yet: nobody would notice if the newest were removed.`,
    );
  if (unlinked > 0) notes.push(`${unlinked} of these have no link either: nobody would notice if they were altered.`);
}

/** Verifies the links of a feature, the totals, and that its own item has the last of both. */
function verifyChain(name, own, chain, leaves) {
  chain.sort((a, b) => a.id - b.id);
  let [link, total, isBroken, isUnlinked] = ['', 0, false, false];
  for (const entry of chain) {
    // A new feature of a name begins to count again.
    if (entry.total !== total + entry.count && entry.total !== entry.count && !isBroken) {
      problems.push(`${nameOf(entry)}: events before it were removed or added, or it was altered.`);
      isBroken = true;
    }
    total = entry.total;
    if (entry.link === undefined) {
      isUnlinked = true;
      continue;
    }
    const isLinked =
      entry.link === hashLink(link, entry.content) || (isUnlinked && entry.link === hashLink('', entry.content));
    if (!isLinked && !isBroken) {
      // A leaf that fits the content and the link before shows that the event itself is genuine.
      problems.push(
        `${nameOf(entry)} was altered, or what was before it${leaves.has(entry.id) ? '' : ' (not sealed yet)'}.`,
      );
      isBroken = true;
    }
    isUnlinked = false;
    link = entry.link;
  }
  if (own === undefined) problems.push(`Feature ${name} is missing, but it has events.`);
  else if (own.lastEventId !== chain.at(-1)?.end)
    problems.push(`Feature ${name}: its last events were removed or added.`);
  // A release before 0.7 keeps no link of the feature.
  else if ((own.link ?? '') !== link && !(isUnlinked && own.link === undefined))
    problems.push(`Feature ${name}: its last event was altered.`);
  else if (own.deleted !== true && own.eventCount !== total)
    problems.push(`Feature ${name} counts other events than there are.`);
}

// ---------------------------------------------------------------------------------------------------------------------------------
// Checkpoints and proofs

function verifySignature(checkpoint, key) {
  const { number, at, signature } = checkpoint;
  const statement = Buffer.from(JSON.stringify(['checkpoint', number, at, checkpoint.hash]));
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const isSigned = signature !== undefined && verify(algorithm, statement, key, Buffer.from(signature, 'base64'));
  if (!isSigned) problems.push(`The checkpoint ${number} has no signature of this key.`);
}

/** Requires that the seals in a checkpoint lead to its hash. */
function assertWhole({ number, hash: wanted, seals: kept = [] }) {
  let previous = '';
  for (const seal of kept) {
    if (seal.previous !== previous || hashTree(seal.leaves.split('\n')) !== seal.root)
      throw new Error(`The checkpoint ${number} is damaged at seal ${seal.number}.`);
    previous = hashSeal(seal);
  }
  if (kept.length > 0 && previous !== wanted) throw new Error(`The checkpoint ${number} is damaged.`);
}

/** Compares a checkpoint with its seal in the backup. */
function verifyCheckpoint({ number, at, hash: wanted }, checkpoints) {
  const seal = seals.get(number);
  if (seal === undefined) problems.push(`Seal ${number} of the checkpoint of ${at} is missing, with what it lists.`);
  else if (hashSeal(seal) === wanted) return;
  else if (checkpoints.some((other) => other.number === number && other.hash === hashSeal(seal)))
    problems.push(
      `Two checkpoints have different hashes of seal ${number}: the history was rewritten, or restored from a backup, after the one of ${at}.`,
    );
  else problems.push(`The history was rewritten before the checkpoint ${number} of ${at}.`);
}

/**
 * Verifies the proof of one event, up to a checkpoint: one that was given, or else the one in the proof, which only counts with a signature
 * of a key from elsewhere, since the author of the proof has also written its checkpoint.
 */
function verifyProof({ event, item, before, sealed, chain }, checkpoints, key) {
  const content = hashContent(item);
  const wrong = (problem) => problems.push(`The proof of event ${event} is wrong: ${problem}.`);
  if (!JSON.parse(item.events).some(({ id }) => id === event)) wrong('its item has another event');
  if (item.link !== undefined && item.link !== hashLink(before, content)) wrong('its link does not fit its content');
  const title = `Event ${event}, by ${JSON.parse(item.events).find(({ id }) => id === event)?.createdBy}`;
  // Beside a problem, a note that a checkpoint confirms the event would contradict it.
  const conclude = (text) => problems.length === 0 && notes.push(`${title}: ${text}.`);
  if (sealed === null) {
    let link = item.link;
    for (const later of chain?.later ?? []) {
      if (later.link !== hashLink(link, later.content)) wrong(`event ${later.firstId} does not continue it`);
      link = later.link;
    }
    if (chain !== null && chain.link !== link) wrong('the feature has another link');
    conclude('no seal lists it yet');
    return;
  }
  const { leaf, path, seals: heads } = sealed;
  if (leaf !== `${Number(item.sk)}:${item.link ?? content}`) wrong('its leaf does not fit the item');
  let node = hash(`leaf\n${leaf}`);
  for (const { side, hash: beside } of path) node = side === 'right' ? hashNode(node, beside) : hashNode(beside, node);
  if (heads[0]?.root !== node) wrong('its path does not lead to the root of the seal');
  for (const [index, head] of heads.entries()) {
    if (head.hash !== hashSeal(head)) wrong(`seal ${head.number} does not fit its hash`);
    if (index > 0 && head.previous !== heads[index - 1].hash)
      wrong(`seal ${head.number} does not continue the one before`);
  }
  const given = checkpoints.filter(({ number }) => heads.some((head) => head.number === number));
  const own = given.length === 0 && key !== undefined ? sealed.checkpoint : null;
  if (own) verifySignature(own, key);
  for (const { number, hash: wanted } of given) {
    if (heads.find((head) => head.number === number).hash !== wanted) wrong(`checkpoint ${number} has another hash`);
  }
  const checkpoint = given[0] ?? own;
  const last = heads.find(({ number }) => number === checkpoint?.number);
  const later = checkpoints.find(({ number }) => number > heads.at(-1)?.number);
  const hint = later ? `: the proof that checkpoint ${later.number} confirms is the one with to=${later.number}` : '';
  if (last === undefined) conclude(`in seal ${heads[0]?.number}, but no checkpoint from elsewhere confirms it${hint}`);
  else if (own && last.hash !== own.hash) wrong(`checkpoint ${own.number} has another hash`);
  else conclude(`in seal ${heads[0].number}, which checkpoint ${last.number} of ${last.at} confirms`);
}

// ---------------------------------------------------------------------------------------------------------------------------------

const usage = `Usage: node verifier.mjs FILE ... [--key PUBLIC_KEY_FILE]
Each FILE is a backup (.gz), a checkpoint, a folder of checkpoints or the proof of an event (JSON), in any order.`;

/** Lists a file, or the checkpoints in a folder. */
function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true }).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new Error(`${path} has no checkpoint.`);
  return names.sort().map((name) => join(path, name));
}

function readDocument(file) {
  let document;
  try {
    document = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (document?.flagstaff === 'checkpoint' || document?.flagstaff === 'proof') return document;
  throw new Error(`${file} is no backup, no checkpoint and no proof.`);
}

async function main(args) {
  const keyAt = args.indexOf('--key');
  const keyFile = keyAt === -1 ? undefined : args.splice(keyAt, 2)[1];
  if (keyAt !== -1 && keyFile === undefined) throw new Error(usage);
  const key = keyFile && createPublicKey(readFileSync(keyFile));
  if (args.length === 0 || args.some((arg) => arg.startsWith('-'))) throw new Error(usage);
  const isGzip = (file) =>
    readFileSync(file)
      .subarray(0, 2)
      .equals(Buffer.from([0x1f, 0x8b]));
  const files = args.flatMap(listFiles);
  const documents = files.filter((file) => !isGzip(file)).map(readDocument);
  const backups = files.filter(isGzip);
  for (const file of backups) await readBackup(file);
  const checkpoints = documents.filter(({ flagstaff }) => flagstaff === 'checkpoint');
  const proofs = documents.filter(({ flagstaff }) => flagstaff === 'proof');
  for (const checkpoint of checkpoints) {
    assertWhole(checkpoint);
    if (key !== undefined) verifySignature(checkpoint, key);
    if (backups.length > 0) verifyCheckpoint(checkpoint, checkpoints);
  }
  const signed = key === undefined ? checkpoints.filter(({ signature }) => signature !== undefined).length : 0;
  if (signed > 0)
    notes.push(
      signed === 1
        ? 'The signature of 1 checkpoint was not verified: use --key.'
        : `The signatures of ${signed} checkpoints were not verified: use --key.`,
    );
  if (backups.length > 0) verifyBackup(checkpoints.flatMap(({ seals: kept = [] }) => kept));
  if (backups.length > 0 && checkpoints.length === 0) {
    notes.push('Without a checkpoint from elsewhere, all hashes could have been computed again.');
  }
  for (const proof of proofs) verifyProof(proof, checkpoints, key);
  for (const problem of problems) console.log(`WRONG: ${problem}`);
  for (const note of notes) console.log(`Note: ${note}`);
  const count = problems.length;
  console.log(count === 0 ? 'OK: nothing is wrong.' : `${count} problem${count === 1 ? '' : 's'}.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode = 2;
});
