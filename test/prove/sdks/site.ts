import { listening } from '../../harness/listening.ts';

/** Starts a site on this machine, with files by path. It ends with the block that uses it. */
export function startSite(files: Readonly<Record<string, readonly [type: string, content: string]>>) {
  return listening(({ url = '' }, response) => {
    const [type, content] = files[url] ?? [];
    if (content === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(content);
  });
}
