import { enableCompileCache, flushCompileCache } from 'node:module';
import { runCommand } from '../commands/command.ts';

const help = `Serves the API on this machine, with a store of its own, until Ctrl-C.

  npm start     (-- --version: the version and the commit; -- -h, -- --help: this text)

Settings are environment variables; an empty one counts as not set:

  PORT                     the port it listens on (4242); 0 takes any free port
  HOST                     the address it listens on (127.0.0.1)
  DATA_DIR                 the folder of the store (.data), on a disk of this machine; ":memory:" keeps nothing
  STORE_DURABILITY         sync: a change that was answered survives a power cut; normal: it survives a kill of this
                           process, and costs less (sync)
  DYNAMODB_ENDPOINT        another DynamoDB-compatible store, in place of the embedded one
  TABLE_NAME               the table (flagstaff)
  INIT_ADMIN_API_TOKENS    admin tokens to add, separated by commas: each "*:*." and a secret of 128 random bits
                           or more, as "openssl rand -hex 16" prints; unset, an insecure one is accepted on
                           loopback addresses until there is an admin token, or a password that somebody has chosen, unless
                           PUBLIC_URL, ALLOWED_HOSTS or TRUSTED_PROXIES say that others reach this server
  INIT_ADMIN_PASSWORD      the password of the user admin, if they have none yet, whatever the rules for passwords;
                           unset, a random one is printed once
  INIT_CLIENT_API_TOKENS   client tokens to add, separated by commas: each a project (* for all), ":", an environment,
                           "." and a secret of 128 random bits or more; INIT_BACKEND_API_TOKENS is the same, and
                           shows them as backend tokens
  INIT_FRONTEND_API_TOKENS frontend tokens to add, of the same form; these are public
  READABLE_CLIENT_TOKENS   true keeps the secrets of client tokens that are made from then on in the store, and shows
                           them in lists, for tools that compare them (false)
  RELAY                    true serves SDKs only, and writes only their reports to the store, if it may (false)
  SEED_FILE                the initial content of an empty store, see infra/commands/README.md
  BODY_LIMIT_BYTES         the largest request body (102400)
  IMPORT_BODY_LIMIT_BYTES  the same for imports (BODY_LIMIT_BYTES where that is set, else 524288)
  PROJECT_FEATURES_LIMIT   the most features of a project, archived ones included (20000)
  PROJECT_FEATURES_WARNING the number of features above which a project gets a warning with each further one (5000)
  API_TOKENS_LIMIT         the most API tokens (2000)
  EMAIL_SENDER             the address that reset links, invitations and mails about change requests come from, by
                           Amazon SES and with AWS credentials; unset, no mail is sent
  FRONTEND_API_ORIGINS     the origins whose pages may use the frontend API, separated by commas (*: all)
  LOG_LEVEL                DEBUG, INFO, WARN, ERROR or SILENT (INFO); a line for each request from INFO on
  LOG_FORMAT               text, or json for the lines that Lambda writes (text)
  PUBLIC_URL               the address that people use, such as https://flags.example.com, for links in mails, redirects
                           of identity providers and changes by session; unset, it is http://localhost:PORT, or
                           nothing where HOST is no loopback address
  ALLOWED_HOSTS            host names to serve besides localhost and that of PUBLIC_URL, separated by commas: other
                           names with a dot are refused
  TRUSTED_PROXIES          how many proxies or load balancers stand in front of this server: the addresses of callers, by which
                           flags decide and wrong passwords are counted, are those in X-Forwarded-For then (none)
  INTEGRATIONS             on sends events to the integrations of the store, off sends none (on; off for relays and for
                           tables at AWS, whose deployed service sends them)
  INTEGRATION_ALLOWED_HOSTS
                           names, addresses or ranges in private networks that integrations may send to, and by http://,
                           separated by commas, such as localhost, *.internal or 10.0.0.0/8; none unless set. Unleash's
                           UNLEASH_ALLOW_LIST_INTEGRATION and UNLEASH_ALLOW_PRIVATE_URL_IN_INTEGRATION add to it
  INTEGRATION_DAILY_LIMIT  the most requests to one integration within a day; then it waits (100000)

The embedded store keeps its data in one file, flagstaff.db in DATA_DIR. Commands such as "npm run token", and further servers,
may have it open at the same time, all on this machine: no file system of a network keeps their changes apart.
When all have stopped, a copy of the file is a backup; put it back into an empty folder.

A second server on the same store: PORT=4243 npm start; on its own: PORT=4243 DATA_DIR=.data2 npm start`;

await runCommand({
  name: 'start',
  help,
  async run() {
    // Compiled once, everything that comes after it loads in half the time from then on.
    enableCompileCache();
    const { serveUntilSignal: run } = await import('./run.ts');
    await run();
    // By itself it is kept at the end only, which a kill does not let come.
    flushCompileCache();
  },
});
