/**
 * SIGUSR1 opens Node's inspector on 127.0.0.1:9229, where every user of the machine may run code in the process. A listener takes the
 * inspector's place. Where the command line is ours to say, --disable-sigusr1 does the same from the first moment on.
 */
process.on('SIGUSR1', () => {})
