/** The version that the functions run on in Lambda, and the first that runs TypeScript as it is. */
export const nodeMajor = 24;
/** The minor version that brings a SQLite without a mistake that could damage the file of the embedded store. */
const nodeMinor = 15;

/** Tells in the beginning of a sentence that this Node is too old; undefined for one that is new enough. */
export function describeOldNode() {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > nodeMajor || (major === nodeMajor && minor >= nodeMinor)) return undefined;
  return `Node ${nodeMajor}.${nodeMinor} or newer is needed, and this is ${node}`;
}
