import { spawnSync } from 'node:child_process'
import type { Break } from './breaks.ts'

const work = 'test/kernel/jobs/work.test.ts'
const declared = 'test/kernel/jobs/declared.test.ts'
const mail = 'test/kernel/mail/mail.test.ts'
const timers = 'test/licensing/service/timers.test.ts'

const redisBreaks: readonly Break[] = [
  {
    promise: 'a Redis that forgets is refused',
    file: 'src/kernel/jobs/redis.ts',
    find: "  ['appendonly', 'yes', 'a restart loses the queue'],\n",
    replace: '',
    test: 'test/kernel/jobs/redis.test.ts',
    named: 'that forgets at a restart',
  },
  {
    promise: 'a Redis that drops jobs when it is full is refused',
    file: 'src/kernel/jobs/redis.ts',
    find: "  ['maxmemory-policy', 'noeviction', 'a full Redis drops jobs'],\n",
    replace: '',
    test: 'test/kernel/jobs/redis.test.ts',
    named: 'drops what it has when it is full',
  },
]

/** Reactions, timers and mails: nothing lost, nothing twice, nothing seen by the wrong people. */
export const workBreaks: readonly Break[] = [
  {
    promise: 'what awaits a reaction is found again when the queue was emptied',
    file: 'src/kernel/jobs/due-job-scanner.ts',
    find: '.filter(({ name }) => positions.has(name))',
    replace: '.filter(({ name }) => positions.has(name) && name === null)',
    test: work,
    named: 'when the queue is emptied under load',
  },
  {
    promise: 'an event awaits its reaction until that is done',
    file: 'src/kernel/jobs/job-runner.ts',
    find: `await reaction.run(
    await reactionEventOf`,
    replace: '  await pool.query(DONE, [reaction.name, position])\n  await reaction.run(await reactionEventOf',
    test: work,
    named: 'that fails is tried again',
  },
  {
    promise: 'a new reaction is not told of old events',
    file: 'src/kernel/jobs/reaction-subscriber.ts',
    find: 'await store.head()])',
    replace: '0 * (await store.head())])',
    test: work,
    named: 'before anybody knew it',
  },
  {
    promise: 'a reaction sees read models that show its event',
    file: 'src/kernel/jobs/job-runner.ts',
    find: `if (
    !(await parts.waitUntilCaughtUp({ types: [recorded.type], position, streams: [recorded.stream] }, READ_MODELS_MS))
  )`,
    replace: 'if (READ_MODELS_MS === 0)',
    test: work,
    named: 'waits until the read models',
  },
  {
    promise: 'what fails is tried again without an end',
    file: 'src/kernel/jobs/bullmq-queue.ts',
    find: "attempts: WITHOUT_END,\n      backoff: { type: 'later' },\n      removeOnComplete: true,\n      removeOnFail: true,\n",
    replace: 'attempts: 1,\n      removeOnComplete: true,\n      removeOnFail: WITHOUT_END === 0,\n',
    test: work,
    named: 'that fails is tried again',
  },
  {
    promise: 'what fails is seen',
    file: 'src/kernel/jobs/job-runner.ts',
    find: 'if (!signal.aborted) await recordJobFailure(',
    replace: 'if (signal.aborted) await recordJobFailure(',
    test: work,
    named: 'that fails is tried again',
  },
  {
    promise: 'what operators are shown of a failure names nobody',
    file: 'src/kernel/jobs/job-failures.ts',
    find: 'maskText(errorText(error))',
    replace: 'maskText === undefined ? "" : errorText(error)',
    test: work,
    named: 'that fails is tried again',
  },
  {
    promise: 'an effect outside the database is not repeated with what surrounds it',
    file: 'src/kernel/jobs/job-runner.ts',
    find: 'if ((await pool.query(WAS_EFFECTED, [key])).rowCount) return',
    replace: 'await pool.query(WAS_EFFECTED, [key])',
    test: work,
    named: 'an effect outside the database happens once',
  },
  {
    promise: 'a timer is asked again after the clock has jumped',
    file: 'src/kernel/jobs/due-job-scanner.ts',
    find: 'const until = new Date(now.getTime() + aheadMs)',
    replace: "const until = new Date(Math.min(now.getTime() + aheadMs, Date.parse('2026-01-31')))",
    test: work,
    named: 'rings once when the clock jumps',
  },
  {
    promise: 'one timer that cannot be asked keeps no other from being asked',
    file: 'src/kernel/jobs/due-job-scanner.ts',
    find: '      parts.onError(error, each.name)\n',
    replace: '      parts.onError(error, each.name)\n      throw error\n',
    test: work,
    named: 'keeps no other from being asked',
  },
  {
    promise: 'what is done in every period is done once in each',
    file: 'src/kernel/jobs/recurring-job.ts',
    find: "run: (_due, work) => work.once('done', () => does(work)),",
    replace: 'run: (_due, work) => does(work),',
    test: work,
    named: 'what is done in every period',
  },
  {
    promise: 'a worker that is stopped ends what it has begun',
    file: 'src/kernel/jobs/bullmq-queue.ts',
    find: `await waitAtMost(Promise.allSettled(underWay), graceMs)
      stopping.abort()
      await waitAtMost(Promise.allSettled(underWay), GIVEN_UP_MS)
      await waitAtMost(closing, GIVEN_UP_MS)`,
    replace: `stopping.abort()
      void [closing, graceMs]`,
    test: work,
    named: 'ends what it has begun',
  },
  {
    promise: 'a mail goes to one address',
    file: 'src/kernel/mail/mail.ts',
    find: '|| !ADDRESS.test(mail.to) ||',
    replace: '|| ADDRESS.test("") ||',
    test: declared,
    named: 'is not one recipient',
  },
  {
    promise: 'a subject brings no header along',
    file: 'src/kernel/mail/mail.ts',
    find: '|| CONTROL.test(mail.subject))',
    replace: '|| CONTROL.test(""))',
    test: declared,
    named: 'is no subject',
  },
  {
    promise: 'a mail that is sent twice can be told by its id',
    file: 'src/kernel/mail/mailer.ts',
    find: "    messageId: `<${id}@${from.address.split('@')[1]}>`,\n",
    replace: '',
    test: mail,
    named: 'has the same Message-ID',
  },
  {
    promise: 'why a mail failed is told without its address',
    file: 'src/kernel/mail/smtp.ts',
    find: 'throw new MailFailed(reasonOf(error), stepOf(error))\n        onRefused',
    replace: 'throw new MailFailed(`${reasonOf(error)} ${String(error)}`, stepOf(error))\n        onRefused',
    test: mail,
    named: 'is tried again',
  },
  {
    promise: 'nothing is sent in clear where TLS is asked for',
    file: 'src/kernel/mail/smtp-url.ts',
    find: 'requireTLS: !secure && !mayBePlain && !LOOPBACK.test(hostname)',
    replace: 'requireTLS: secure && !mayBePlain && !LOOPBACK.test(hostname)',
    test: mail,
    named: 'SMTP_URL',
  },
  {
    promise: 'a mail server that somebody else has named lies outside the operator’s network',
    file: 'src/kernel/mail/smtp.ts',
    find: `...(outboundPolicy ? { getSocket: checkedSocket(server, outboundPolicy) } : {}),`,
    replace: ``,
    test: mail,
    named: 'is not connected to in the operator’s own network',
  },
  {
    promise: 'a mail server is looked at for every mail, where it is connected to',
    file: 'src/kernel/mail/smtp.ts',
    find: 'lookup: checkedLookup(reach), timeout: CONNECT_MS',
    replace: "lookup: checkedLookup({ ...reach, allow: ['127.0.0.0/8'] }), timeout: CONNECT_MS",
    test: mail,
    named: 'is looked at for every mail',
  },
  {
    promise: 'no mail server keeps a worker for ever',
    file: 'src/kernel/mail/smtp.ts',
    find: ', signal: late }',
    replace: ' }',
    test: mail,
    named: 'is not listened to for ever',
  },
  {
    promise: 'what needs a mail is refused where none is sent',
    file: 'src/kernel/http/handler-context.ts',
    find: 'if (!(await canMail())) reject(',
    replace: 'if ((await canMail()) === undefined) reject(',
    test: declared,
    named: 'a route that needs mail',
  },
  {
    promise: 'a license’s end is written down once',
    file: 'src/licensing/licenses/rules.ts',
    find: "...(noted !== 'EXPIRED' && isPast(graceEndsAt) ? [expired] : []),",
    replace: '...(isPast(graceEndsAt) ? [expired] : []),',
    test: timers,
    named: 'an end that came and was noted is not noted again',
  },
  {
    promise: 'an end that was moved comes again',
    file: 'projections/licensing/licenses.ts',
    find: 'table.update({ id: licenseId }, { expiresAt: to, graceEndsAt, seq, kid, noted: null }),',
    replace: 'table.update({ id: licenseId }, { expiresAt: to, graceEndsAt, seq, kid }),',
    test: timers,
    named: 'an end that was moved comes again',
  },
  {
    promise: 'a cancellation for the end of a period ends the subscription then',
    file: 'projections/licensing/subscriptions.ts',
    find: '{ cancelAtPeriodEnd: true, cancelsAt: endsAt }',
    replace: '{ cancelAtPeriodEnd: true }',
    test: timers,
    named: 'cancelled for the end of its period',
  },
  {
    promise: 'a change for the end of a period takes effect then',
    file: 'projections/licensing/subscriptions.ts',
    find: '{ scheduledChange, changesAt: scheduledChange.effectiveAt }',
    replace: '{ scheduledChange }',
    test: timers,
    named: 'takes effect once',
  },
  ...(spawnSync('redis-server', ['--version']).status === 0 ? redisBreaks : []),
]
