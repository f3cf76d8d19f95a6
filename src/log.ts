import { createRequire } from 'node:module'
import type { Logger } from 'pino'
import { isOfCredentials } from './errors.ts'

export type { Logger } from 'pino'

const require = createRequire(import.meta.url)

const STANDARD_ERROR = 2

/** Log lines as JSON: on standard error, so that standard output stays for what a person asked for, or in a file. */
export function createLog(level: string, file?: string): Logger {
  const { pino } = require('pino') as typeof import('pino')
  return pino(
    {
      level,
      base: null,
      serializers: { err: describeError },
      redact: { paths: ['*.authorization', '*.cookie', 'headers["x-voiceai-agent-token"]'], censor: '****' },
    },
    pino.destination({ dest: file ?? STANDARD_ERROR, sync: false, minLength: 0 }),
  )
}

/**
 * What a log says of an error. Not the rest of it: drivers put the query and its values there. A key that somebody mistyped is told
 * in a sentence: no line of ours is at fault.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (isOfCredentials(error)) return { type: error.name, message: error.message }
  const code = 'code' in error ? error.code : undefined
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}
