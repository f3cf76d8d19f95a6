import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Terminal } from './terminal.ts'

/** Reads a secret without showing it, and without leaving it in the shell's history. Empty when there is none. */
export async function askSecret(prompt: string, { input, err }: Terminal): Promise<string> {
  if (input.isTTY !== true) return (await text(input)).split(/\r?\n/)[0]?.trim() ?? ''
  err.write(prompt)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: silent, terminal: true })
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
    // Also when the person ends the input instead of answering.
    lines.once('close', () => resolve(''))
  })
  lines.close()
  err.write('\n')
  return answer
}
