/**
 * The URL of an event store, looked at before the client sees it: the client shows what it does not understand, password and all.
 * To Node it is no URL when it names several hosts.
 */
const URL_FORM =
  /^(?:kurrentdb|kurrent|kdb|esdb)(?:\+discover)?:\/\/(?:[^:@/?]*:(?<password>[^@/?]*)@)?[^@/?]+\/?(?:\?(?<options>[^?]*))?$/

/** Of the client, in small letters without dashes. */
const OPTIONS = new Set([
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'keepaliveinterval',
  'keepalivetimeout',
  'maxdiscoverattempts',
  'nodepreference',
  'tls',
  'tlscafile',
  'tlsverifycert',
  'usercertfile',
  'userkeyfile',
])

/** @returns its password, if it has one. @throws SyntaxError that repeats nothing of it */
export function checkEventStoreUrl(url: string): string | undefined {
  const { password, options = '' } = URL_FORM.exec(url)?.groups ?? wrong()
  for (const option of options.split('&').filter(Boolean)) {
    const name = option.slice(0, option.indexOf('=')).toLowerCase().replaceAll(/[_-]/g, '')
    if (!OPTIONS.has(name)) wrong()
  }
  return password === undefined ? undefined : decodeURIComponent(password)
}

function wrong(): never {
  throw new SyntaxError('That is not the URL of a KurrentDB')
}
