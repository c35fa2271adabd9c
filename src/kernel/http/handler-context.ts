/** The context that each handler receives. */
import type { IncomingMessage } from 'node:http'
import type { Pool } from 'pg'
import type { CommandRunner, UnitOfWork, UnitOutcome } from '../commands/command-runner.ts'
import type { Actor } from '../events/event.ts'
import { reject } from '../lib/rejection.ts'
import { serviceRegistry as nothingGiven } from '../lib/services.ts'
import type { ServiceRegistry } from '../lib/services.ts'
import { mailSettings } from '../mail/mail-settings.ts'
import type { ReadDatabase } from '../projections/read-database.ts'
import type { Vault } from '../vault/vault.ts'
import { readYourWrites } from './read-your-writes.ts'
import type { WaitUntilCaughtUp } from './read-your-writes.ts'
import { ifUnchanged } from './record-version.ts'
import type { RecordCall } from './record-version.ts'
import type { RequestContext } from './request-context.ts'
import type { HandlerContext, Caller, Route } from './route.ts'
import { readUpload } from './upload.ts'

const NO_MAIL = 'This installation sends no mail: configure a mail server'

export interface HandlerContextDependencies {
  readonly commands: CommandRunner
  readonly read: ReadDatabase
  readonly telemetry: Pool
  readonly vault: Vault
  readonly baseUrl: string
  /** Default: an empty registry. */
  readonly services?: ServiceRegistry
  readonly waitUntilCaughtUp: WaitUntilCaughtUp
}

export interface ParsedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

interface Entry {
  /** Checks the caller again. */
  readonly enter: () => Promise<unknown>
  /** What the last check returned. */
  readonly ruleResult: () => unknown
}

export function handlerContextOf(
  parts: HandlerContextDependencies,
  exchange: RequestContext,
  request: IncomingMessage,
  { upload, version, enter, ruleResult, ...parsed }: ParsedInput & Pick<Route, 'upload' | 'version'> & Entry,
): HandlerContext {
  const { requestId, requestHead, slots } = exchange
  const { read, telemetry, vault, baseUrl, commands, services = nothingGiven() } = parts
  const contextOf = (actor: Actor) => ({
    actor,
    requestId,
    ...(requestHead.ip === undefined ? {} : { ip: requestHead.ip }),
  })
  const recorded = (what: UnitOutcome) => void exchange.recorded.push(what)
  const ifMatch = request.headers['if-match']
  const recordCall = (): RecordCall => ({
    params: parsed.params as RecordCall['params'],
    caller: callerOf(exchange),
    service: services,
  })
  /** What this call has changed before is no change by another. */
  const conditional = <Result>(work: (unit: UnitOfWork) => Promise<Result>) =>
    version && ifMatch !== undefined && exchange.recorded.length === 0
      ? ifUnchanged(version, ifMatch, { vault, call: recordCall() }, work)
      : work
  const canMail = async () => (await services(mailSettings)()) !== undefined
  return {
    ...parsed,
    get caller() {
      return callerOf(exchange)
    },
    get ruleResult() {
      return ruleResult()
    },
    ip: requestHead.ip,
    requestId,
    now: requestHead.now,
    run: (work, actor = callerOf(exchange).actor) => commands.run(contextOf(actor), conditional(work), recorded),
    runUnreported: (work, actor) => commands.run(contextOf(actor), work),
    upload: () => readUpload(request, { bytesMax: upload?.bytesMax ?? 0, slots, authorizeAgain: enter }),
    waitForReadModels: async () => void (await readYourWrites(exchange.recorded, parts.waitUntilCaughtUp)),
    read,
    telemetry,
    vault,
    baseUrl,
    service: services,
    canMail,
    requireMail: async () => {
      if (!(await canMail())) reject('conflict', NO_MAIL, 'MAIL_NOT_CONFIGURED')
    },
    warn: exchange.warn,
    get abortSignal() {
      return exchange.abortSignal()
    },
    async waitFor(wait) {
      slots.pause()
      const result = await wait()
      slots.begin()
      return result
    },
    header: (name) => request.headers[name.toLowerCase()]?.toString(),
    cookie: (name) => cookieOf(request, name),
  }
}

function callerOf({ caller, line }: RequestContext): Caller {
  if (!caller) throw new Error(`${line} is a public route and has no caller`)
  return caller
}

/**
 * A cookie that is sent twice is ignored: a neighbouring host can set a second one, and the order does
 * not tell which is genuine.
 */
function cookieOf(request: IncomingMessage, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const [only, ...others] = pairs.filter((pair) => pair.startsWith(`${name}=`))
  return others.length === 0 ? only?.slice(name.length + 1) : undefined
}
