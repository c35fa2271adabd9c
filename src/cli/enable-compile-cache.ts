/**
 * Node keeps the code that it has compiled, which halves the time to load Daybook from the second start
 * on. The cache lies beside the installed packages, where only the login that installed the program can
 * write; a program in a read-only directory runs without it.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
