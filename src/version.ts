import { readFileSync } from 'node:fs'

/** The version of this service, as `package.json` has it: nothing else says it. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version
