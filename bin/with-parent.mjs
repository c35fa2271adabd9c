// Loaded before src/main.ts where an older Node handed over: the older one may be ended with kill -9, which it cannot pass on. A service
// that nobody supervises any more would keep the port and the data directory from its successor, so it stops as if asked to.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
