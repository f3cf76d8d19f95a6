// Commands of the command line: run here, or each as a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../../src/cli/program.ts'
import { CHILD_ENV, CHILD_FLAGS } from './child-node.ts'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

export interface Ran {
  code: number | null
  out: string
  err: string
}

export class CommandProcess {
  readonly child: ChildProcess
  readonly #ended: Promise<unknown>
  #out = ''
  #err = ''

  constructor(args: readonly string[], env: Readonly<Record<string, string>>, input = '') {
    this.child = spawn(process.execPath, [...CHILD_FLAGS, MAIN, ...args], {
      env: { PATH: process.env.PATH ?? '', ...CHILD_ENV, ...env },
    })
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#out += text
    })
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#err += text
    })
    this.#ended = once(this.child, 'close')
    this.child.stdin?.end(input)
  }

  /** What it has printed once that matches. */
  async printed(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#out)) {
      if (this.child.exitCode !== null) throw new Error(`the command ended: ${this.#out}${this.#err}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return this.#out
  }

  async ended(): Promise<Ran> {
    await this.#ended
    return { code: this.child.exitCode, out: this.#out, err: this.#err }
  }
}

/**
 * Runs a command to its end with a terminal of its own, in this process: a hundredth of what a process costs. What it logs,
 * prints past its terminal or leaves open does not show here.
 */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Ran> {
  const [out, err] = [new Kept(), new Kept()]
  const code = await runCommandLine(args, { env: { ...env }, input: Readable.from([input]), out, err })
  return { code, out: out.text, err: err.text }
}

class Kept extends Writable {
  text = ''

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8')
    done()
  }
}
