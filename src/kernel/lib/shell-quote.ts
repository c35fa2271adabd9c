/** Whatever the text, a POSIX shell reads it as one word and as nothing else. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
