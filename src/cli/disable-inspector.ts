/**
 * SIGUSR1 opens Node's inspector on 127.0.0.1:9229, where every user of the machine could run code in
 * the process. A listener replaces that behaviour. --disable-sigusr1 does the same from the start, if
 * Daybook controls the command line.
 */
process.on('SIGUSR1', () => {})
