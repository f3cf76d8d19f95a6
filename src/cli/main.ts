import { runCommandLine } from './program.ts'
import { PROCESS_TERMINAL } from './terminal/terminal.ts'

// Anyone who reads the output may have seen enough, as in `connect export connect.call | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await runCommandLine(process.argv.slice(2), PROCESS_TERMINAL)
