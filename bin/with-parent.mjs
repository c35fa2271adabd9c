// Loaded before src/main.ts if an older Node has started this process. A SIGKILL of the older Node is
// not forwarded. Without a supervisor the service would keep the port and the data directory, so it
// then stops as after SIGTERM.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
