/**
 * Checks the URL of an event store before the client gets it, because the client's errors show an invalid URL with its
 * password. Node's URL parser does not accept several hosts.
 */
const URL_FORM =
  /^(?:kurrentdb|kurrent|kdb|esdb)(?:\+discover)?:\/\/(?:[^:@/?]*:(?<password>[^@/?]*)@)?[^@/?]+\/?(?:\?(?<options>[^?]*))?$/

/** The options of the client, in lower case without dashes and underscores. */
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

/** @returns the password, if the URL has one. @throws SyntaxError whose message contains no part of the URL */
export function checkEventStoreUrl(url: string): string | undefined {
  const { password, options = '' } = URL_FORM.exec(url)?.groups ?? wrong()
  for (const option of options.split('&').filter(Boolean)) {
    const name = option.slice(0, option.indexOf('=')).toLowerCase().replaceAll(/[_-]/g, '')
    if (!OPTIONS.has(name)) wrong()
  }
  return password === undefined ? undefined : decodeURIComponent(password)
}

function wrong(): never {
  throw new SyntaxError('This is not a valid URL of a KurrentDB')
}
