import { createRequire } from 'node:module'
import type { Logger } from 'pino'

export type { Logger } from 'pino'

const require = createRequire(import.meta.url)

/** Log lines as JSON on standard error, so that standard output stays for what a person asked for. */
export function createLog(level: string): Logger {
  const { pino } = require('pino') as typeof import('pino')
  return pino(
    {
      level,
      base: null,
      redact: { paths: ['*.authorization', '*.cookie', 'headers["x-voiceai-agent-token"]'], censor: '****' },
    },
    pino.destination({ dest: 2, sync: false, minLength: 0 }),
  )
}
