import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Reads a secret without showing it, and without leaving it in the shell's history. Empty when there is none. */
export async function askSecret(prompt: string): Promise<string> {
  if (process.stdin.isTTY !== true) return (await text(process.stdin)).split(/\r?\n/)[0]?.trim() ?? ''
  process.stderr.write(prompt)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
    // Also when the person ends the input instead of answering.
    lines.once('close', () => resolve(''))
  })
  lines.close()
  process.stderr.write('\n')
  return answer
}
