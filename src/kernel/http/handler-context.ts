/** What a handler is given. */
import type { IncomingMessage } from 'node:http'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { CommandRunner, Recorded } from '../commands/command-runner.ts'
import type { Actor } from '../events/event.ts'
import { given as nothingGiven } from '../lib/services.ts'
import type { Given } from '../lib/services.ts'
import { mailing } from '../mail/mail-settings.ts'
import { reject } from '../lib/rejection.ts'
import type { Vault } from '../vault/vault.ts'
import type { Exchange } from './request-context.ts'
import { inEffect } from './read-your-writes.ts'
import type { CaughtUp } from './read-your-writes.ts'
import type { Call, Caller, Route } from './route.ts'
import { uploadOf } from './upload.ts'

const NO_MAIL = 'This installation sends no mail: no mail server is set (SMTP_URL)'

export interface CallParts {
  readonly commands: CommandRunner
  readonly read: Kysely<any>
  readonly telemetry: Pool
  readonly vault: Vault
  readonly baseUrl: string
  /** Default: nothing, so that what is needed is the usual. */
  readonly given?: Given
  readonly caughtUp: CaughtUp
}

export interface Parsed {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

export function callOf(
  parts: CallParts,
  exchange: Exchange,
  request: IncomingMessage,
  { upload, enter, ...parsed }: Parsed & Pick<Route, 'upload'> & { readonly enter: () => Promise<unknown> },
): Call {
  const { requestId, arrival, stay } = exchange
  const { read, telemetry, vault, baseUrl, commands, given = nothingGiven() } = parts
  const contextOf = (actor: Actor) => ({ actor, requestId, ...(arrival.ip === undefined ? {} : { ip: arrival.ip }) })
  const recorded = (what: Recorded) => void exchange.recorded.push(what)
  const canMail = async () => (await given(mailing)()) !== undefined
  return {
    ...parsed,
    get caller() {
      return callerOf(exchange)
    },
    ip: arrival.ip,
    requestId,
    now: arrival.now,
    run: (work, actor = callerOf(exchange).actor) => commands.run(contextOf(actor), work, recorded),
    runUntold: (work, actor) => commands.run(contextOf(actor), work),
    upload: () => uploadOf(request, { bytesMax: upload?.bytesMax ?? 0, stay, stillIn: enter }),
    inEffect: async () => void (await inEffect(exchange.recorded, parts.caughtUp)),
    read,
    telemetry,
    vault,
    baseUrl,
    given,
    canMail,
    needMail: async () => {
      if (!(await canMail())) reject('conflict', NO_MAIL, 'MAIL_NOT_CONFIGURED')
    },
    warn: exchange.warn,
    get ended() {
      return exchange.ended()
    },
    header: (name) => request.headers[name.toLowerCase()]?.toString(),
    cookie: (name) => cookieOf(request, name),
  }
}

function callerOf({ caller, line }: Exchange): Caller {
  if (!caller) throw new Error(`${line} is public: it has no caller`)
  return caller
}

/** A name that is sent twice is nobody's: a neighbouring host can plant a second cookie, and the order proves nothing. */
function cookieOf(request: IncomingMessage, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const [only, ...others] = pairs.filter((pair) => pair.startsWith(`${name}=`))
  return others.length === 0 ? only?.slice(name.length + 1) : undefined
}
