import type { Secret } from '../../kit/reveal.tsx'

/** A link that could not be mailed is shown instead; nothing is shown of one that was mailed. */
export const passwordLink = (link: string | null, email: string): readonly Secret[] =>
  link === null ? [] : [{ label: `Link for ${email}, to choose a password`, text: link }]
