/** Quotes any text so that a POSIX shell reads it as exactly one word. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
