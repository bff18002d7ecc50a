import { type Construct, RootConstruct } from 'constructs';

/** The root of a tree that the context is read from. An app would leave a folder in the temporary directory. */
export function scopeWith(context: Readonly<Record<string, unknown>>): Construct {
  const root = new RootConstruct();
  for (const [name, value] of Object.entries(context)) root.node.setContext(name, value);
  return root;
}
