/** Settings that administrators change for the panel, with defaults. Secrets belong to the configuration. */
import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
import type { Settings } from '#kernel/resource/settings-events'

/** A slug of 40 characters and a dot fit before it (RFC 1035, 2.3.4). */
const APPS_DOMAIN_MAX = 212
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const APPS_DOMAIN = new RegExp(`^(?:${LABEL}(?:\\.${LABEL})*)?$`)

export const SETTINGS = {
  registrationOpen: {
    is: z.boolean(),
    usual: false,
    does:
      'Allow new accounts to be registered without an invitation. Needs a mail server, because addresses are ' +
      'proved by mailed links.',
  },
  platformName: {
    is: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .regex(/^\P{Cc}*$/u, 'must be a single line without control characters'),
    takes: nameSchema(100),
    usual: 'Daybook',
    does: 'Set the name of the panel on the sign-in page. It is public.',
  },
  gitHubClientId: {
    is: z.string().regex(/^[\w.-]{0,100}$/, 'must be the client id of an OAuth app of GitHub, or empty'),
    usual: '',
    does: 'Set the client id of an OAuth app of GitHub with the device flow, so that accounts sign in there. Empty: none.',
  },
  appsDomain: {
    is: z
      .string()
      .max(APPS_DOMAIN_MAX)
      .regex(APPS_DOMAIN, 'must be a domain in lower case, such as apps.example.com, or empty'),
    usual: '',
    does: 'Set the domain under which applications with clean URLs are, as `slug.domain`. Its names must lead to the servers. Empty: none.',
  },
  baseImages: {
    is: z
      .string()
      .max(1_000)
      .regex(
        /^(?:(?:node|python|go|go-run|php|composer|static)=[a-z0-9][\w.:/@-]{0,254}(?: |$))*$/,
        'must be pairs such as node=node:24-bookworm-slim static=busybox:1.37 with a space between them',
      ),
    usual: '',
    does:
      'Set the images that Dockerfiles are made from for applications without one, such as node=node:24-bookworm-slim ' +
      'for node, python, go, go-run, php, composer and static. Those that are left out keep their default.',
  },
} as const satisfies Settings

export { settingEvents } from '#kernel/resource/settings-events'
