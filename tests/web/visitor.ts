import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { setupToken } from '../../src/platform/identity/session-routes.ts'
import { eventually, type TestApp } from '../support/test-app.ts'

/** Why what takes minutes is not looked at twice. */
export const DRAWN_ONCE = 'every page is drawn the same on both databases: looked at with the embedded one'

/** A browser takes its time on a busy machine. */
export const BROWSER_MS = 480_000
export const PASSWORD = 'correct horse battery'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const SERIOUS = ['serious', 'critical']

interface Look {
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  language?: 'en' | 'de'
  hasTouch?: boolean
}

/** Somebody with a browser, in which everything is noted that must not be: errors, and what the policy blocked. */
export class Visitor {
  readonly page: Page
  readonly faults: string[] = []
  readonly #context: BrowserContext
  readonly #url: string

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.#context = context
    this.page = page
    this.#url = url
    // Far above what a page takes: a busy machine must not turn into a failure.
    page.setDefaultTimeout(100_000)
    page.on('console', (message) => {
      // What the service refuses is a sentence on the page; the browser calls it an error of its own as well.
      const isAnswer = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isAnswer) this.faults.push(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => this.faults.push(`error: ${error.message}`))
    page.on('dialog', (dialog) => {
      this.faults.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
  }

  static async open(browser: Browser, url: string, look: Look = {}): Promise<Visitor> {
    const { width = 1280, height = 800, colorScheme = 'light', language = 'en', hasTouch = false } = look
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      hasTouch,
      locale: language === 'de' ? 'de-CH' : 'en-GB',
      timezoneId: 'Europe/Zurich',
      reducedMotion: 'reduce',
    })
    return new Visitor(context, await context.newPage(), url)
  }

  async go(address: string): Promise<void> {
    await this.page.goto(this.#url + address, { waitUntil: 'domcontentloaded' })
  }

  async signIn(login: string, next = '/now'): Promise<void> {
    await this.go(next)
    await this.page.getByLabel(/^(?:Login|Anmeldename)$/).fill(login)
    await this.page.getByLabel(/^(?:Password|Passwort)$/).fill(PASSWORD)
    await this.page.getByRole('button', { name: /^(?:Sign in|Anmelden)$/ }).click()
    await this.page.waitForURL((url) => url.pathname === next)
  }

  /** What axe finds that keeps somebody from using the page. */
  async barriers(): Promise<string[]> {
    await this.page.evaluate(AXE)
    return this.page.evaluate(async (serious) => {
      const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
      interface Violation {
        id: string
        impact: string
        nodes: { target: string[]; failureSummary?: string }[]
      }
      // Preloading copies style sheets out of shadow trees, without the nonce that lets them in.
      const { violations } = await axe.run({ preload: false })
      return violations
        .filter(({ impact }) => serious.includes(impact))
        .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`))
    }, SERIOUS)
  }

  /** Whether the page is wider than its window. */
  async isTooWide(): Promise<boolean> {
    return this.page.evaluate(() => {
      const main = document.querySelector('main') ?? document.body
      return main.scrollWidth > main.clientWidth + 1 || document.body.scrollWidth > window.innerWidth + 1
    })
  }

  close(): Promise<void> {
    return this.#context.close()
  }
}

/** Creates the first administrator, who is in every group of people. */
export async function firstAdministrator(app: TestApp, login: string): Promise<void> {
  const answer = await app.post('/api/setup', {
    token: setupToken(app.app),
    name: 'Ada Keller',
    login,
    password: PASSWORD,
  })
  if (answer.status !== 200) throw new Error(answer.text)
}

/** Waits until the page has been built. */
export function pageIsBuilt(app: TestApp): Promise<true> {
  return eventually(async () => {
    const { status } = await app.request('/sign-in', { headers: { accept: 'text/html' } })
    return status === 200 ? true : undefined
  }, BROWSER_MS)
}
