import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import path from 'node:path'
import { accountName } from '../../account.ts'
import { asError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { isWritable, requireReadable, whyNotAllowed } from './readable-files.ts'
import { DIST, hashOfBuilt, hashOfSources, ROOT } from './source-hash.ts'

const BUILDER = path.join(ROOT, 'scripts/build-page.ts')
/** Where the builder puts the page, beside its sources. */
const WEB = path.dirname(DIST)
/** For the person who may read the log and write the folder. */
const BUILD_IT = `run \`npm run build\` in ${ROOT} as the owner of that folder, then restart the service.`
/** Characters of what a failed build printed that the log repeats. */
const OUTPUT_CHARS_MAX = 4_000
/** Below the service, which answers webhooks meanwhile. */
const NICENESS = 10

type PageState = 'ready' | 'building' | 'failed'

/** Looks after `web/dist`: builds it in a process of its own when the sources have changed since. */
export class PageBuild {
  readonly #log: Logger
  #state: PageState = 'building'
  #hash = ''
  #isStopped = false
  #child: ChildProcess | undefined

  constructor(log: Logger) {
    this.#log = log
  }

  get state(): PageState {
    return this.#state
  }

  /** Which build is served; empty until there is one. */
  get hash(): string {
    return this.#hash
  }

  /** Compares as soon as the service listens, and builds when it has to; nobody waits for that. */
  start(): void {
    setImmediate(() => this.#compare())
  }

  #compare(): void {
    if (this.#isStopped) return
    try {
      const built = hashOfBuilt()
      const wanted = hashOfSources() ?? built
      if (wanted === undefined) this.#hasFailed('there is neither a built page nor its sources')
      else if (wanted === built) {
        requireReadable(['index.html', 'assets'].map((name) => path.join(DIST, name)))
        this.#isBuilt(wanted)
      } else if (isWritable(WEB)) this.#build(wanted)
      else this.#hasFailed(`The account ${accountName()} may not write ${WEB}: ${BUILD_IT}`)
    } catch (thrown) {
      const error = asError(thrown)
      this.#hasFailed(whyNotAllowed(error, BUILD_IT) ?? error.message)
    }
  }

  /** Ends a build under way. */
  stop(): void {
    this.#isStopped = true
    this.#child?.kill('SIGKILL')
  }

  #build(wanted: string): void {
    this.#log.info('the page is built; the service answers meanwhile')
    const startedAt = performance.now()
    const child = spawn(process.execPath, [BUILDER, wanted], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    if (child.pid !== undefined) setPriority(child.pid, NICENESS)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-OUTPUT_CHARS_MAX)
      })
    }
    child.once('error', (error) => this.#hasFailed(error.message))
    child.once('close', (code, signal) => {
      this.#child = undefined
      if (code === 0) {
        this.#log.info({ ms: Math.round(performance.now() - startedAt) }, 'the page is built')
        this.#isBuilt(wanted)
      } else if (signal === null) this.#hasFailed(output)
    })
  }

  #isBuilt(hash: string): void {
    this.#hash = hash
    this.#state = 'ready'
  }

  #hasFailed(why: string): void {
    this.#state = 'failed'
    this.#log.error({ output: why }, 'the page could not be built; the service runs without it')
  }
}
